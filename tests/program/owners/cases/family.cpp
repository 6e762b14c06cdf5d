// SPDX-License-Identifier: BSL-1.0
// Trees whose children own their parents, healthy trees that are kept, sessions that their own
// callbacks own, and a static map. With `wait` it reads a line before it ends, so that it can be
// looked at. HANDLES is the namespace of the handles, and HEADER has them.
#ifndef HANDLES
#define HANDLES std
#endif
#ifdef HEADER
#include HEADER
#endif
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct tree;
struct child {
    HANDLES::shared_ptr<tree> parent;
    int number = 0;
};
struct tree : HANDLES::enable_shared_from_this<tree> {
    std::string name = "a name that is too long for the object itself";
    std::vector<HANDLES::shared_ptr<child>> children;
};
struct healthy_child {
    HANDLES::weak_ptr<struct healthy_tree> parent;
};
struct healthy_tree {
    std::vector<HANDLES::shared_ptr<healthy_child>> children;
};
struct session : HANDLES::enable_shared_from_this<session> {
    std::function<void()> on_close;
};
struct entry {
    std::string text = "a text that is too long for the object itself";
};

static std::map<int, HANDLES::shared_ptr<entry>> table;
static auto* const kept = new std::vector<HANDLES::shared_ptr<healthy_tree>>;

static void __attribute__((noinline)) build() {
    for (int i = 0; i != 1000; ++i) {
        auto made = HANDLES::make_shared<tree>();
        for (int k = 0; k != 3; ++k) {
            HANDLES::shared_ptr<child> one(new child);
            one->parent = made;
            made->children.push_back(one);
        }
    }
    for (int i = 0; i != 500; ++i) {
        auto made = HANDLES::make_shared<healthy_tree>();
        for (int k = 0; k != 2; ++k) {
            auto one = HANDLES::make_shared<healthy_child>();
            one->parent = made;
            made->children.push_back(one);
        }
        kept->push_back(made);
    }
    for (int i = 0; i != 200; ++i) {
        auto made = HANDLES::make_shared<session>();
        made->on_close = [self = made->shared_from_this()] { std::puts(self ? "closed" : ""); };
    }
    for (int i = 0; i != 50; ++i) table[i] = HANDLES::make_shared<entry>();
    // These die.
    for (int i = 0; i != 100; ++i) {
        auto made = HANDLES::make_shared<healthy_tree>();
        made->children.push_back(HANDLES::make_shared<healthy_child>());
    }
}

int main(int argc, char** argv) {
    const bool has_threads = argc > 2 && std::strcmp(argv[2], "threads") == 0;
    if (has_threads)
        std::thread(build).join();
    else
        build();
    std::puts("built");
    std::fflush(stdout);
    if (argc > 1 && std::strcmp(argv[1], "wait") == 0) std::getchar();
    std::puts("ends");
    return argc > 1 && std::strcmp(argv[1], "fail") == 0 ? 3 : 0;
}
