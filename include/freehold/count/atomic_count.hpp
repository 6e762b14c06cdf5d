// SPDX-License-Identifier: BSL-1.0
// What it is: a count of owners for several threads. It is the default count of shared_ptr, arc and
// intrusive_base.
// When to use it: several threads use owners of one object.
// When not: if one thread has all owners (local_count), or the thread that made the object has most
// (biased_count).
// Example: `class node : public freehold::intrusive_base<node, freehold::atomic_count> {};`
//
// Units: 5 bytes; with padding the count takes 8.
// Complexity: while the process has one thread, a copy is a plain addition and a release a plain
// subtraction (single_threaded.hpp says how the count finds out). After the first thread was
// started, a copy is one locked add. A release is one locked add, or one plain load if there never
// was a second owner. Handing an object over and dropping it thus executes no locked instruction.
// Thread safety: several threads may increment and decrement distinct owners at once. Signal
// handlers must not use the count.
// Exceptions: none. The count terminates the program at 2^31 owners.
// Ownership: none; the object that has the count owns it.
// Source: none.
//
// Decrements are acquire-release, and not release with a fence before the deletion. The fence saves
// nothing on x86 and little elsewhere, and ThreadSanitizer cannot follow it.
#pragma once

#include <freehold/count/detail/atomic_count_with_weak.hpp>
#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/detail/atomics.hpp>
#include <freehold/fwd.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class Atomics>
class basic_atomic_count {
public:
    using with_weak = basic_atomic_count_with_weak<Atomics>;
    static constexpr bool is_thread_safe = true;

    constexpr explicit basic_atomic_count(std::int64_t initial) noexcept
        : value_(static_cast<std::int32_t>(initial)), shared_(initial > 1) {}
    basic_atomic_count(const basic_atomic_count&) = delete;
    basic_atomic_count& operator=(const basic_atomic_count&) = delete;

    void increment() noexcept {
        // relaxed: the thread that copies an owner already sees the object, and publishes nothing.
        const std::int32_t after = Atomics::single_threaded()
                                       ? Atomics::add_plainly(value_, std::int32_t{1})
                                       : next(value_.fetch_add(1, std::memory_order_relaxed));
        if (after > 1) [[likely]] {
            // relaxed: the thread that gets the new owner learns of the owner, and of this flag, by
            // another synchronisation. The load comes first, so that copies on many threads do not
            // take the cache line twice.
            if (!shared_.load(std::memory_order_relaxed))
                shared_.store(true, std::memory_order_relaxed);
        } else if (after < 1) {
            weak_word::overflow();
        }
    }

    [[nodiscard]] bool decrement() noexcept {
        if (Atomics::single_threaded()) return Atomics::add_plainly(value_, std::int32_t{-1}) == 0;
        // relaxed: a thread notes a second owner before that owner or this one can be released
        // here. So this load sees the note, or this is the only owner that there ever was.
        if (!shared_.load(std::memory_order_relaxed)) return true;
        // release: what this owner did happens before the destruction. acquire: the owner that
        // takes the count to zero destroys the object, after all others.
        return value_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: an owner that reads 1 may write to the object (copy on write). Its writes must
        // come after what former owners did.
        return value_.load(std::memory_order_acquire);
    }

private:
    friend struct anchored_count;

    // Wraps.
    static std::int32_t next(std::int32_t before) noexcept {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(before) + 1);
    }

    typename Atomics::template atomic<std::int32_t> value_;
    // Whether there ever were two owners at once.
    typename Atomics::template atomic<bool> shared_;
};

}  // namespace detail

static_assert(weakable_reference_count<atomic_count>);
static_assert(sizeof(atomic_count) == 8);

}  // namespace freehold::inline FREEHOLD_ABI
