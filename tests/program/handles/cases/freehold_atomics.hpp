// SPDX-License-Identifier: BSL-1.0
// One thread uses Freehold's atomic pointers. The comments say what each count counts on their
// lines, for an atomic_shared_ptr and an atomic_arc together.
#pragma once

#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include "freehold_objects.hpp"

#include <cstdlib>
#include <vector>

template <class Atomic>
__attribute__((noinline)) void read(const Atomic& from) {
    for (int i = 0; i < 100; ++i) by_value(from.load());  // counts: copies=200 releases=200
    for (int i = 0; i < 100; ++i) by_value(from.snapshot().get());  // counts: copies=0 releases=0
}

// A thread has room for 8 snapshots at a time. Further ones count.
template <class Atomic>
__attribute__((noinline)) void keep_snapshots(const Atomic& of) {
    std::vector<decltype(of.snapshot())> kept;
    kept.reserve(12);
    for (int i = 0; i < 12; ++i) kept.push_back(of.snapshot());  // counts: copies=8 releases=0
    kept.clear();                                                // counts: copies=0 releases=8
}

template <class Atomic, class Make>
__attribute__((noinline)) void replace(Atomic& in, Make make) {
    for (int i = 0; i < 10; ++i) in.store(make());  // counts: copies=0 releases=20 last_releases=20
    const auto former = in.exchange(make());        // counts: copies=0 releases=0
    auto expected = in.load();                      // counts: copies=2 releases=0
    if (!in.compare_exchange_strong(expected, make()))  // counts: copies=0 releases=2
        std::abort();
    in.update([&](const auto&) { return make(); });  // counts: copies=0 releases=2 last_releases=2
}

// The writer counts for the snapshot that lives.
template <class Atomic, class Make>
__attribute__((noinline)) void replace_below_a_snapshot(Atomic& in, Make make) {
    auto seen = in.snapshot();  // counts: copies=0 releases=0
    in.store(make());           // counts: copies=2 releases=2 last_releases=0
    by_value(seen.get());
    seen.reset();  // counts: copies=0 releases=2 last_releases=2
}

template <class Atomic, class Make>
__attribute__((noinline)) void with_an_atomic(Make make) {
    Atomic atomic(make());
    read(atomic);
    keep_snapshots(atomic);
    replace(atomic, make);
    replace_below_a_snapshot(atomic, make);
}

template <class Count>
void with_atomics() {
    with_an_atomic<freehold::atomic_shared_ptr<circle, Count>>([] {
        return freehold::make_shared<circle, Count>();  // counts: objects=15
    });
    with_an_atomic<freehold::atomic_arc<circle, Count>>([] {
        return freehold::make_arc<circle, Count>();  // counts: objects=15
    });
}
