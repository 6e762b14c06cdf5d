// SPDX-License-Identifier: BSL-1.0
// What it is: atomic_arc, an atomic pointer of one word that owns its object. Many threads read it
// and some replace its value.
// When to use it: for values that are read often and replaced seldom: configurations, tables, the
// present state of anything that is rebuilt as a whole. docs/atomic_pointers.md says more.
// When not: if threads write as often as they read, or change an object in place (std::mutex).
// Example:
//     freehold::atomic_arc<const routing_table> routes;
//
//     routes.snapshot()->find(address);                   // a reader: protects it, counts nothing
//     const auto mine = routes.load();                    // a reader that keeps it: an owner
//     routes.store(freehold::make_arc<const routing_table>(lines));              // a writer
//     routes.update([&](const auto& now) { return now->with(line); });           // from the old
//
// atomic_arc has the interface of std::atomic<std::shared_ptr>, and snapshot() and update(). A
// replaced value is destroyed as soon as its last owner and its last snapshot are released. The
// thread that releases the last of them runs the destructor, never under a lock. That destructor
// may use the same atomic.
//
// Units: bytes. An atomic_arc is one word. Each thread that reads has 320 bytes. They are reused
// when the thread has ended, and never freed.
// Complexity: a snapshot and its release take 1.5 ns on an EPYC, without a locked instruction, if
// no atomic pointer of the process was stored to lately. A load takes that and one locked
// instruction. A load that meets another thread at the object's count waits for about a
// microsecond. A store takes a lock of the whole process. It reads nine slots and one further word
// of every thread that ever read, and adds a count for each snapshot of the old value. The first
// store after a while executes a barrier on all threads (membarrier, 2 to 5 us if others are
// running). Readers then execute fences of their own, until a thousand reads have run without a
// store. The first snapshot or load registers the process with the system: 1 us, or some ms if the
// process already has other threads.
// Thread safety: all functions may be called by several threads at once, except the destructor. All
// are sequentially consistent, even if a weaker order is requested. Snapshots and loads are
// wait-free after the first of each thread, unless they take the writers' lock (see Exceptions).
// Stores, exchanges and successful comparisons wait for those of other threads; is_lock_free()
// therefore returns false. Signal handlers must not use an atomic_arc.
// Exceptions: update throws what its function throws. Nothing else throws. If there is no memory
// for a thread's 320 bytes, its loads and snapshots take the writers' lock and count. The same
// holds while a thread destroys its thread-local variables. The program terminates if the system
// withdraws membarrier(2) from the running process.
// Ownership: the atomic owns its present value. Snapshots may outlive the atomic.
// Source: see atomic/debts.hpp.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/detail/atomic/atomic_handle.hpp>
#include <freehold/handle/detail/atomic/kept_handle.hpp>
#include <freehold/handle/snapshot_ptr.hpp>

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

    // The key is made of the address of the counts. The address of an array without elements may be
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
