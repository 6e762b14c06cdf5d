// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include <atomic>
#include <utility>

void use() {
    freehold::atomic_arc<int> place(freehold::make_arc<int>(1));
    freehold::atomic_shared_ptr<int> shared(freehold::make_shared<int>(1));
    std::atomic<freehold::weak_ptr<int>> weak(shared.load());
    auto snapshot = place.snapshot();
    auto moved = std::move(snapshot);
    const freehold::arc<int> owner = moved;
#ifdef counted_on_one_thread
    // error: an atomic handle is for several threads, which this handle's count is not; count with
    // atomic_count or biased_count
    freehold::atomic_arc<int, freehold::local_count> local;
#endif
#ifdef shared_and_counted_on_one_thread
    // error: an atomic handle is for several threads, which this handle's count is not
    freehold::atomic_shared_ptr<int, freehold::local_count> local;
#endif
#ifdef copied
    // error: use of deleted function
    freehold::atomic_arc<int> copy(place);
#endif
#ifdef a_copied_snapshot
    // error: use of deleted function
    auto copy = moved;
#endif
#ifdef a_snapshot_of_a_weak_ptr
    // error: no matching function for call to
    weak.snapshot();
#endif
#ifdef updated_to_something_else
    // error: no matching function for call to
    place.update([](const auto& now) { return *now + 1; });
#endif
#ifdef a_snapshot_as_another_owner
    // error: conversion from
    freehold::shared_ptr<int> other = moved;
#endif
}
