// SPDX-License-Identifier: BSL-1.0
// Two threads count objects of Freehold's handles that one of them made. The comments say what each
// count counts on their lines. A local count is not among them, because it is for one thread.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "freehold_objects.hpp"

#include <thread>
#include <vector>

template <class Handle>
__attribute__((noinline)) void hundred_copies(const Handle& first) {
    for (int i = 0; i < 100; ++i) by_value(first);  // counts: copies=800 releases=800 foreign=800
}

template <class Handle>
void copy_on_two_threads(const Handle& first) {
    std::thread other([&first] { hundred_copies(first); });
    hundred_copies(first);
    other.join();
}

template <class Count>
__attribute__((noinline)) void on_two_threads() {
    const auto shared = freehold::make_shared<circle, Count>();      // counts: objects=1
    const auto arc = freehold::make_arc<circle, Count>();            // counts: objects=1
    const freehold::counted_ptr<circle, Count> counted(new circle);  // counts: objects=1
    const freehold::intrusive_ptr<node<Count>> intrusive(new node<Count>);
    copy_on_two_threads(shared);
    copy_on_two_threads(arc);
    copy_on_two_threads(counted);
    copy_on_two_threads(intrusive);
    std::vector<freehold::weak_ptr<circle, Count>> weak(10, shared);  // counts: weak_copies=11
    std::thread([&weak] {
        for (const auto& each : weak) by_value(each.lock());  // counts: locks=10 releases=10
        weak.clear();                                         // counts: weak_releases=10
    }).join();
}
