// SPDX-License-Identifier: BSL-1.0
// Threads that wait, each with objects that only its stack, its thread_local variables, or rings of
// theirs hold. Nothing leaks but 20 rings that each of the 8 threads drops, and 5 that each makes
// in a thread_local variable and drops.
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

struct ring {
    std::shared_ptr<ring> next;
};
struct on_stack {
    int number = 1;
};
struct in_thread {
    std::vector<std::shared_ptr<on_stack>> more;
};

static std::mutex lock;
static std::condition_variable changed;
static int ready = 0;
static bool may_end = false;
thread_local std::shared_ptr<in_thread> kept_by_thread;
thread_local std::shared_ptr<ring> last;

static void __attribute__((noinline)) make_rings() {
    for (int i = 0; i != 20; ++i) {
        auto one = std::make_shared<ring>();
        one->next = std::make_shared<ring>();
        one->next->next = one;
    }
    for (int i = 0; i != 5; ++i) {
        last = std::make_shared<ring>();
        last->next = last;
        last.reset();
    }
}

static void work() {
    make_rings();
    kept_by_thread = std::make_shared<in_thread>();
    for (int i = 0; i != 10; ++i) kept_by_thread->more.push_back(std::make_shared<on_stack>());
    const auto own = std::make_shared<on_stack>();
    std::unique_lock<std::mutex> held(lock);
    ready += own->number;
    changed.notify_all();
    changed.wait(held, [] { return may_end; });
}

int main() {
    std::vector<std::thread> all;
    for (int i = 0; i != 8; ++i) all.emplace_back(work);
    {
        std::unique_lock<std::mutex> held(lock);
        changed.wait(held, [] { return ready == 8; });
    }
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
    {
        const std::unique_lock<std::mutex> held(lock);
        may_end = true;
    }
    changed.notify_all();
    for (auto& each : all) each.join();
    std::puts("ends");
}
