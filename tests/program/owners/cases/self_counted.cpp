// SPDX-License-Identifier: BSL-1.0
// Objects that count their own owners and have no virtual functions, and memory that looks like
// such objects: other objects of the same size, arrays, and what was freed. With an argument there
// are only the latter. BOOST takes Boost's handles. LIKE adds a class whose objects cannot be told
// from those of `node`.
#include "intrusive_handles.hpp"

#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

struct node : base<node> {
    intrusive<node> next;
    double number = 7;
};
struct leaf : base<leaf> {
    float beside_the_count = 1.5F;  // Boost's count takes half a word
    double weights[6] = {1, 2};
};
struct named {
    long name = 5;
};
// Its count is behind another base.
struct tree : named, base<tree> {
    std::vector<intrusive<leaf>> leaves;
    std::function<void()> call;
    long figures[10] = {};
};
struct in_shared : base<in_shared> {
    long figures[30] = {};
};
struct shares {
    std::shared_ptr<shares> self;
    intrusive<in_shared> held;
};
// The program itself counts the owners of these.
struct own {
    intrusive<own> next;
    std::atomic<int> refs{0};
    long figures[16] = {};
    friend void intrusive_ptr_add_ref(own* of) { ++of->refs; }
    friend void intrusive_ptr_release(own* of) {
        if (--of->refs == 0) delete of;
    }
};
// The member's name says something else than what it is.
struct misnamed {
    int count = 1;
    int number = 0;  // of its owners
    long figures[20] = {};
    friend void intrusive_ptr_add_ref(misnamed* of) { ++of->number; }
    friend void intrusive_ptr_release(misnamed* of) {
        if (--of->number == 0) delete of;
    }
};
// Plain pointers lead to these.
struct owner {
    owner* next = nullptr;
    std::unique_ptr<owner> below;
    std::map<int, intrusive<leaf>> leaves;
};

static intrusive<node> head;
static std::vector<intrusive<tree>> trees;
static owner* owners;
static std::vector<intrusive<own>> kept;
static std::vector<intrusive<misnamed>> unknown;
static thread_local intrusive<leaf> of_thread;
static intrusive<leaf> in_array[3];

// It looks as a leaf does whose count is 1.
struct looks_like_leaf {
    long number = 1;
    double weights[sizeof(leaf) / sizeof(double) - 1] = {1, 2};
};
static std::vector<looks_like_leaf*> others;
static void* where_leaves_were[50];
static std::vector<long> arrays[20];
#ifdef LIKE
struct looks_like_node {
    long number = 1;
    looks_like_node* next = nullptr;
    double weight = 2;
};
#endif

[[gnu::noinline]] static void build() {
    for (int i = 0; i != 100; ++i) {
        intrusive<node> first(new node);
        first->next = new node;
        first->next->next = first;
    }
    for (int i = 0; i != 10; ++i) {
        intrusive<node> made(new node);
        made->next = head;
        head = made;
    }
    for (int i = 0; i != 20; ++i) {
        intrusive<tree> made(new tree);
        for (int k = 0; k != 3; ++k) made->leaves.push_back(new leaf);
        made->leaves.push_back(made->leaves.front());
        made->call = [made] { std::printf("%ld\n", made->figures[0]); };
    }
    for (int i = 0; i != 5; ++i) {
        trees.push_back(new tree);
        trees.back()->leaves.push_back(new leaf);
    }
    for (int i = 0; i != 4; ++i) {
        auto* const made = new owner;
        made->below = std::make_unique<owner>();
        made->below->leaves[i] = new leaf;
        made->leaves[i] = made->below->leaves[i];
        made->next = owners;
        owners = made;
        auto shared = std::make_shared<shares>();
        shared->self = shared;
        shared->held = new in_shared;
    }
    for (int i = 0; i != 30; ++i) {
        intrusive<own> first(new own);
        first->next = new own;
        first->next->next = first;
    }
    for (int i = 0; i != 5; ++i) {
        kept.push_back(new own);
        unknown.push_back(new misnamed);
        unknown.push_back(unknown.back());
    }
    of_thread = new leaf;
    in_array[1] = new leaf;
    in_array[2] = in_array[1];
}

[[gnu::noinline]] static void build_others() {
    {
        std::vector<intrusive<leaf>> gone;
        for (void*& each : where_leaves_were) {
            gone.emplace_back(new leaf);
            each = gone.back().get();
        }
    }
    // Some are left over where handles were.
    static std::aligned_storage_t<sizeof(intrusive<leaf>), alignof(intrusive<leaf>)> places[9];
    for (auto& each : places) std::destroy_at(new (&each) intrusive<leaf>(new leaf));
    // These take the memory that the leaves had.
    for (int i = 0; i != 60; ++i) others.push_back(new looks_like_leaf);
    for (auto& each : arrays) each.assign(sizeof(leaf) / sizeof(long), 1);
#ifdef LIKE
    for (int i = 0; i != 10; ++i) {
        auto* const made = new looks_like_node;
        made->next = new looks_like_node;
        made->next->next = made;
    }
#endif
}

// Compilers may leave out a variable that nothing takes the address of.
static intrusive<leaf>* volatile seen;

int main(int argc, char**) {
    const bool only_others = argc > 1;
    if (!only_others) build();
    build_others();
    intrusive<leaf> on_stack(only_others ? nullptr : new leaf);
    seen = &on_stack;
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
    return on_stack ? static_cast<int>(on_stack->weights[1]) - 2 : 0;
}
