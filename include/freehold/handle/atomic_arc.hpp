// SPDX-License-Identifier: BSL-1.0
// atomic_arc: a pointer that many threads read and some replace, in one word.
//
//     freehold::atomic_arc<const routing_table> routes;
//
//     routes.snapshot()->find(address);                   // a reader: protects it, counts nothing
//     const auto mine = routes.load();                    // a reader that keeps it: an owner
//     routes.store(freehold::make_arc<const routing_table>(lines));              // a writer
//     routes.update([&](const auto& now) { return now->with(line); });           // from the old
//
// Use it for what is read often and replaced seldom: configurations, tables, the present state of
// anything that is rebuilt as a whole. Take a std::mutex instead where threads write as often as
// they read, or change an object in place. docs/atomic_pointers.md says more.
//
// It has what std::atomic<std::shared_ptr> has, and snapshot() and update(). A value that is
// replaced dies at once: when its last owner and last snapshot are gone, on the thread that
// released the last of them, never under a lock. That destructor may use the same atomic.
//
// Costs one word. A snapshot and its release are 1.5 ns on an EPYC, without a locked instruction, a
// load is that and one locked instruction; it waits for about a microsecond if it meets another
// thread at the object's count. A store takes a lock of the whole process, looks at nine words of
// every thread that ever read, and adds a count for each snapshot of the old value. The
// first store after a while executes a barrier on all threads (membarrier, 2 to 5 us with others
// running); from then on readers execute fences of their own, until a thousand reads have come
// without a store. The first snapshot or load of the process registers it with the system: 1 us, or
// some ms if the process has other threads by then. Each thread that reads has 320 bytes, which are
// reused when it has ended, and never freed.
// Thread-safe, and sequentially consistent whatever weaker order is asked for. Snapshots and loads
// are wait-free; stores, exchanges and comparisons that succeed wait for those of other threads, so
// that is_lock_free() is false. Not for signal handlers. Destroying an atomic is not thread-safe;
// its snapshots outlive it.
// Exceptions: none, but for what update's function throws. Without memory for a thread's 320 bytes
// its loads and snapshots take the writers' lock and count.
// Source: see atomic/debts.hpp.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/atomic/atomic_handle.hpp>
#include <freehold/handle/atomic/kept_handle.hpp>
#include <freehold/handle/atomic/snapshot_ptr.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class T, class Count, class Allocator>
struct kept_handle<arc<T, Count, Allocator>> {
    using handle = arc<T, Count, Allocator>;
    using element_type = typename handle::element_type;
    using place = debt_platform::one_word_place;

    static element_type* pointer(std::uintptr_t word) noexcept {
        return reinterpret_cast<element_type*>(word);
    }
    static handle own(std::uintptr_t word) noexcept {
        return arc_access::own<T, Count, Allocator>(pointer(word));
    }
    static std::uintptr_t words(const handle& kept) noexcept {
        return reinterpret_cast<std::uintptr_t>(kept.get());
    }
    static std::uintptr_t take(handle& kept) noexcept {
        return reinterpret_cast<std::uintptr_t>(arc_access::disown(kept));
    }

    // Of the counts rather than of the object, because that of an array without elements may be
    // the address of another block.
    [[FREEHOLD_INLINED]] static debt_key key_of(std::uintptr_t word) noexcept {
        return arc_access::address_of_counts<handle>(word) + for_owner;
    }
    [[FREEHOLD_INLINED]] static void add(debt_key key) noexcept {
        counts_of<Count>(key)->increment();
    }
    [[nodiscard, FREEHOLD_INLINED]] static bool add_unless_disturbed(debt_key key) noexcept {
        return detail::add_unless_disturbed(*counts_of<Count>(key));
    }
    static void give_up(debt_key key) noexcept {
        arc_access::let_go<handle>(counts_of<Count>(key));
    }
    static constexpr owner_kind calls = {&key_of, &add, &give_up};
};

}  // namespace detail

template <class T, class Count, class Allocator>
class atomic_arc : public detail::atomic_handle<arc<T, Count, Allocator>> {
public:
    using detail::atomic_handle<arc<T, Count, Allocator>>::atomic_handle;
    using detail::atomic_handle<arc<T, Count, Allocator>>::operator=;
};

}  // namespace freehold::inline FREEHOLD_ABI
