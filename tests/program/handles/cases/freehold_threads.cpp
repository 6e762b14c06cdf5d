// SPDX-License-Identifier: BSL-1.0
// Two threads count objects of Freehold's handles that one of them made, with the count that
// FREEHOLD_CASE_COUNT names. The comments say what the program counts on their lines.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <thread>
#include <vector>

using count = freehold::FREEHOLD_CASE_COUNT;

struct circle {
    int radius = 1;
};
struct node : freehold::intrusive_base<node, count> {
    node() { asm volatile("" : : "r"(this) : "memory"); }
};

template <class Handle>
__attribute__((noinline)) int by_value(Handle owner) {
    return owner != nullptr ? 1 : 0;
}

template <class Handle>
__attribute__((noinline)) void copies(const Handle& first) {
    for (int i = 0; i < 100; ++i) by_value(first);  // counts: copies=800 releases=800 foreign=800
}

template <class Handle>
void on_two_threads(const Handle& first) {
    std::thread other([&first] { copies(first); });
    copies(first);
    other.join();
}

int main() {
    const auto shared = freehold::make_shared<circle, count>();      // counts: objects=1
    const auto arc = freehold::make_arc<circle, count>();            // counts: objects=1
    const freehold::counted_ptr<circle, count> counted(new circle);  // counts: objects=1
    const freehold::intrusive_ptr<node> intrusive(new node);
    on_two_threads(shared);
    on_two_threads(arc);
    on_two_threads(counted);
    on_two_threads(intrusive);
    std::vector<freehold::weak_ptr<circle, count>> weak(10, shared);  // counts: weak_copies=11
    std::thread([&weak] {
        for (const auto& each : weak) by_value(each.lock());  // counts: locks=10 releases=10
        weak.clear();                                         // counts: weak_releases=10
    }).join();
}
