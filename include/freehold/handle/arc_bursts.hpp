// SPDX-License-Identifier: BSL-1.0
// What it is: prefetch, release and share over spans of arcs.
// When to use it: many arcs move between threads at once, as packets and jobs do.
// When not: for single handles.
// Example:
//     prefetch(std::span(burst));                     // the counts, and what stands beside them
//     share(std::span(burst), std::span(to_log));     // to_log[i] = burst[i]
//     release(std::span(burst));                      // burst[i] = nullptr
//     release(std::span(burst), std::span(to_log));   // both
//
// `prefetch` brings the cache line of each object's counts for writing. The object begins in that
// line unless it has a larger alignment. Use it for handles that come from another thread and that
// this thread is about to release or copy.
//
// `release` sets every handle of the span to null. It prefetches some handles ahead, and gives up
// neighbours that own the same object together. It executes no locked instruction for an object of
// which the span has all the handles. It returns memory to the allocator 64 blocks at a time if the
// objects have trivial destructors and the allocator has
//     void deallocate_bulk(std::span<void* const>) noexcept;   // each from allocate(1)
// Other objects are destroyed and their memory is freed one by one, so that a destructor that
// allocates finds the memory that was freed before it. A destructor may use, assign and release any
// handle of the span, but not end the span's life. What it assigns to a handle before its own stays
// there. What it assigns to a handle behind its own is released.
//
// `release` of two spans treats handles at the same place in both as neighbours. A burst and its
// copies that are dropped together therefore execute no locked instruction either.
//
// `share` copies each handle of `from` to the same place in `to`, and releases what `to` held. `to`
// is at least as long as `from` and does not overlap it. `from` is not const: no other thread may
// use its handles meanwhile. With atomic_count, the copy of an only owner is then a load and a
// store instead of a locked addition. With biased_count, copies cost what they always do.
//
// Units: handles.
// Complexity: linear in the handles. Packets that come in bursts from another core, and are copied
// once and dropped twice, cost 18 ns each instead of 32 one by one. That was measured on a Xeon
// where the transfer of the line alone takes 13 ns.
// Thread safety: as for each handle of the spans by itself.
// Exceptions: none. `share` terminates the program if `to` is too short.
// Ownership: as for each handle of the spans by itself.
// Source: none.
#pragma once

#include <freehold/detail/terminate.hpp>
#include <freehold/handle/detail/arc/arc_class.hpp>
#include <freehold/handle/detail/arc/returned_blocks.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class Handle>
concept arc_handle =
    std::same_as<typename handle_family<std::remove_const_t<Handle>>::type, arc_family>;

// Far enough ahead for a line to arrive from the other core, and near enough that it is still in
// the cache.
inline constexpr std::size_t handles_ahead = 8;

// Brings a line for writing. __builtin_prefetch uses the instruction only if the compiler's target
// has it. All x86-64 processors execute it, some without effect.
[[FREEHOLD_INLINED]] inline void prefetch_for_writing(const void* line) noexcept {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
    __builtin_prefetch(line, 1);
#endif
}

template <class T, class Count, class Allocator>
struct arc_burst<arc<T, Count, Allocator>> {
    using handle = arc<T, Count, Allocator>;
    using object = std::remove_extent_t<T>;

    static void prefetch(const handle& one) noexcept {
        if (one.object_ != nullptr) prefetch_for_writing(handle::counts(one.object_));
    }

    // Returns how many handles from `next` on own the same object as the first.
    static std::size_t run(const handle* next, std::size_t left) noexcept {
        std::size_t same = 1;
        while (same != left && next[same].object_ == next->object_) ++same;
        return same;
    }

    static void release(handle* handles, std::size_t count) noexcept {
        blocks_of_burst blocks;
        std::size_t prefetched = 0;
        for (std::size_t i = 0; i != count;) {
            for (; prefetched != count && prefetched != i + handles_ahead; ++prefetched)
                prefetch(handles[prefetched]);
            object* const owned = handles[i].object_;
            const std::size_t held = run(handles + i, count - i);
            // The handles are emptied first: a destructor may use them.
            for (const std::size_t end = i + held; i != end; ++i) handles[i].object_ = nullptr;
            if (owned != nullptr) give_up(owned, static_cast<std::int64_t>(held), blocks);
        }
    }

    static void release_pairs(handle* first, handle* second, std::size_t count) noexcept {
        blocks_of_burst blocks;
        for (std::size_t i = 0; i != count && i != handles_ahead; ++i) prefetch(first[i]);
        for (std::size_t i = 0; i != count; ++i) {
            if (i + handles_ahead < count) prefetch(first[i + handles_ahead]);
            object* const one = std::exchange(first[i].object_, nullptr);
            object* const other = std::exchange(second[i].object_, nullptr);
            if (one != nullptr) give_up(one, one == other ? 2 : 1, blocks);
            if (other != nullptr && other != one) give_up(other, 1, blocks);
        }
    }

    static void share(const handle* from, std::size_t count, handle* to) noexcept {
        for (std::size_t i = 0; i != count;) {
            object* const owned = from[i].object_;
            const std::size_t held = run(from + i, count - i);
            if (owned != nullptr)
                handle::counts(owned)->increment_held(static_cast<std::int64_t>(held));
            for (const std::size_t end = i + held; i != end; ++i)
                handle::release_unless_null(std::exchange(to[i].object_, owned));
        }
    }

private:
    using blocks_of_burst = returned_blocks<typename handle::template block<>>;

    static void give_up(object* owned, std::int64_t held, blocks_of_burst& blocks) noexcept {
        const remaining left = handle::counts(owned)->decrement_held(held);
        if (left == remaining::nothing) {
            blocks.end(owned);
        } else {
            handle::template releases<>::finish(handle::counts(owned), left);
        }
    }
};

}  // namespace detail

// Loads the counts of all objects into the processor's caches.
template <detail::arc_handle Handle, std::size_t Extent>
void prefetch(std::span<Handle, Extent> handles) noexcept {
    for (const auto& each : handles) detail::arc_burst<std::remove_const_t<Handle>>::prefetch(each);
}

// Releases all handles. They are null afterwards.
template <detail::arc_handle Handle, std::size_t Extent>
    requires(!std::is_const_v<Handle>)
void release(std::span<Handle, Extent> handles) noexcept {
    detail::arc_burst<Handle>::release(handles.data(), handles.size());
}

// Releases both. Handles of equal index to one object are released together.
template <detail::arc_handle Handle, std::size_t First, std::size_t Second>
    requires(!std::is_const_v<Handle>)
void release(std::span<Handle, First> first, std::span<Handle, Second> second) noexcept {
    using burst = detail::arc_burst<Handle>;
    const std::size_t pairs = first.size() < second.size() ? first.size() : second.size();
    burst::release_pairs(first.data(), second.data(), pairs);
    burst::release(first.data() + pairs, first.size() - pairs);
    burst::release(second.data() + pairs, second.size() - pairs);
}

// Copies all handles of `from` to the start of `to`. `to` must not be shorter.
template <detail::arc_handle Handle, std::size_t From, std::size_t To>
    requires(!std::is_const_v<Handle>)
void share(std::span<Handle, From> from, std::span<Handle, To> to) noexcept {
    if (to.size() < from.size())
        detail::terminate_with("share was asked to copy more handles than there is room for");
    detail::arc_burst<Handle>::share(from.data(), from.size(), to.data());
}

}  // namespace freehold::inline FREEHOLD_ABI
