// SPDX-License-Identifier: BSL-1.0
// What it is: the protocol of sharded counts: an ordinary count, and beside it the number of the
// column of shards in which the owners are counted while the object is shared out.
//
//   column     where threads count owners          the owners are
//   0          in the ordinary count               what the ordinary count says
//   another    in the shard of their processor;    the ordinary count, minus the anchor, plus the
//              where they cannot, in the ordinary  sum of the column's shards
//              count
//
// A shard may have given up more than it counted: an owner is released where its thread runs then.
// The anchor is a number of owners, larger than all that can be released in the ordinary count.
// So no thread finds the ordinary count at its last owner while there are shards.
//
//   event                   column   what is done
//   share_out(), the first  0 -> c   takes a column of zeros; adds the anchor; then stores c
//   share_out(), another    c        notes one more sharer
//   gather(), not the last  c        notes one sharer less
//   gather(), the last      c -> 0   stores 0; restarts the sequences of all threads: no thread
//                                    counts in the column any more; adds the sum of the shards
//                                    and takes the anchor away; frees the column
//   gather(), unmatched     0        nothing
//
// The four events hold one lock of the process. A thread that calls gather() has an owner until it
// returns. The count of that owner is anywhere; it makes the true number of owners at least 1 at
// the moment when the anchor goes. From there on, the ordinary count is exact. The same owner is
// the reason why a weak reference may be locked in a shard without a look at the ordinary count.
//
// A thread may read an old column. A sequence finds out. If it reads 0 after the object was shared
// out, it counts in the ordinary count, which is right in every state.
//
// Weak references are always counted in the ordinary count.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/detail/atomic_count_with_weak.hpp>
#include <freehold/count/detail/shard_sequence.hpp>
#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/fwd.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// What this protocol needs of an ordinary count: its anchor, and an addition to it. Also the count
// of an intrusive_base.
struct anchored_count {
    template <class Atomics>
    static constexpr std::int64_t anchor(const basic_atomic_count<Atomics>&) noexcept {
        return std::int64_t{1} << 30;
    }
    template <class Atomics>
    static constexpr std::int64_t anchor(const basic_atomic_count_with_weak<Atomics>&) noexcept {
        return std::int64_t{1} << 33;
    }

    template <class Atomics>
    static void add(basic_atomic_count<Atomics>& to, std::int64_t owners) noexcept {
        // relaxed: a thread that must see the note sees the column that is stored after it.
        to.shared_.store(true, std::memory_order_relaxed);
        // relaxed: the owner that the caller has is released after this, and that is a release.
        to.value_.fetch_add(static_cast<std::int32_t>(owners), std::memory_order_relaxed);
    }
    template <class Atomics>
    static void add(basic_atomic_count_with_weak<Atomics>& to, std::int64_t owners) noexcept {
        to.add(owners);
    }

    template <class Derived, class Count>
    static Count& in(const intrusive_base<Derived, Count>& object) noexcept {
        return object.count_;
    }
};

template <class Ordinary, class Platform>
class basic_sharded_word {
public:
    template <class... Initial>
    constexpr explicit basic_sharded_word(Initial... initial) noexcept : ordinary_(initial...) {}

    [[nodiscard]] Ordinary& ordinary() noexcept { return ordinary_; }
    [[nodiscard]] const Ordinary& ordinary() const noexcept { return ordinary_; }

    // Counts so many owners in a shard, or gives them up there. Returns false, and does nothing, if
    // the caller has to use the ordinary count.
    [[nodiscard, gnu::always_inline]] bool count_in_shard(std::int64_t owners) noexcept {
        return Platform::template add_to_own_shard<shard_side::counted>(column_, owners);
    }
    [[nodiscard, gnu::always_inline]] bool give_up_in_shard(std::int64_t owners) noexcept {
        return Platform::template add_to_own_shard<shard_side::given_up>(column_, owners);
    }
    void share_out() noexcept {
        const typename Platform::lock lock;
        // relaxed: it changes only under the lock.
        std::uint16_t column = column_.load(std::memory_order_relaxed);
        if (column != 0) {
            ++Platform::sharers_of(column);
            return;
        }
        const std::int64_t anchor = anchored_count::anchor(ordinary_);
        if (ordinary_.value() > anchor / 2) return;
        column = Platform::take_column();
        if (column == 0) return;
        anchored_count::add(ordinary_, anchor);
        // release: add_to_own_shard acquires it.
        column_.store(column, std::memory_order_release);
    }

    void gather() noexcept {
        const typename Platform::lock lock;
        // relaxed: as above.
        const std::uint16_t column = column_.load(std::memory_order_relaxed);
        if (column == 0 || --Platform::sharers_of(column) != 0) return;
        // relaxed: restart_all orders it before the sequences that it lets start over, and the
        // additions that have committed before what follows.
        column_.store(0, std::memory_order_relaxed);
        Platform::restart_all();
        const std::int64_t sum = Platform::give_back_column(column);
        const std::int64_t anchor = anchored_count::anchor(ordinary_);
        // The ordinary count has room for so many beside those that it had.
        if (sum > anchor) weak_word::overflow();
        anchored_count::add(ordinary_, sum - anchor);
    }

    [[nodiscard]] bool is_shared_out() const noexcept {
        // relaxed: says nothing of the object.
        return column_.load(std::memory_order_relaxed) != 0;
    }

    // While the object is shared out, and while it is gathered, a number above 1 without meaning.
    [[nodiscard]] std::int64_t value() const noexcept {
        const std::int64_t counted = ordinary_.value();
        // relaxed: if the ordinary count is 1, the caller's owner is the only one, or this column
        // is 0: what gather() stored comes before the release of the owner that its caller had.
        const std::uint16_t column = column_.load(std::memory_order_relaxed);
        if (column == 0) return counted;
        const std::int64_t estimate =
            counted - anchored_count::anchor(ordinary_) + Platform::sum_of(column);
        return estimate < 2 ? 2 : estimate;
    }

private:
    [[no_unique_address]] Ordinary ordinary_;
    typename Platform::template atomic<std::uint16_t> column_{0};
};

template <class Platform>
class basic_sharded_count {
    using ordinary = basic_atomic_count<Platform>;

public:
    static constexpr bool is_thread_safe = true;

    constexpr explicit basic_sharded_count(std::int64_t initial) noexcept : word_(initial) {}

    void increment() noexcept {
        if (!word_.count_in_shard(1)) word_.ordinary().increment();
    }
    [[nodiscard, gnu::always_inline]] bool decrement() noexcept {
        return !word_.give_up_in_shard(1) && word_.ordinary().decrement();
    }
    [[nodiscard]] std::int64_t value() const noexcept { return word_.value(); }

    // See sharded_count.hpp.
    void share_out() noexcept { word_.share_out(); }
    void gather() noexcept { word_.gather(); }
    [[nodiscard]] bool is_shared_out() const noexcept { return word_.is_shared_out(); }

private:
    [[no_unique_address]] basic_sharded_word<ordinary, Platform> word_;
};

template <class Platform>
class basic_sharded_count_with_weak {
    using ordinary = basic_atomic_count_with_weak<Platform>;

public:
    using departure = typename ordinary::departure;
    // The bytes of a new count, with zeros after them.
    static constexpr auto as_new = ordinary::as_new;

    template <class T>
    constexpr explicit basic_sharded_count_with_weak(std::in_place_type_t<T> type) noexcept
        : word_(type) {}

    void increment() noexcept {
        if (!word_.count_in_shard(1)) word_.ordinary().increment();
    }
    void increment_held(std::int64_t owners) noexcept {
        if (!word_.count_in_shard(owners)) word_.ordinary().increment_held(owners);
    }
    [[nodiscard]] bool try_increment() noexcept {
        return word_.count_in_shard(1) || word_.ordinary().try_increment();
    }

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        return word_.give_up_in_shard(1) ? 2 * weak_word::owner : word_.ordinary().depart();
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool leaves_owners(departure seen) noexcept {
        return ordinary::leaves_owners(seen);
    }
    [[nodiscard, gnu::always_inline]] bool rests_alone(departure seen) noexcept {
        return word_.ordinary().rests_alone(seen);
    }
    [[nodiscard]] remaining settle(departure seen) noexcept {
        return word_.ordinary().settle(seen);
    }
    [[nodiscard]] remaining decrement() noexcept {
        const departure seen = depart();
        return leaves_owners(seen) ? remaining::owners : settle(seen);
    }
    [[nodiscard]] remaining decrement_held(std::int64_t owners) noexcept {
        return word_.give_up_in_shard(owners) ? remaining::owners
                                              : word_.ordinary().decrement_held(owners);
    }

    void increment_weak() noexcept { word_.ordinary().increment_weak(); }
    void increment_weak_held() noexcept { word_.ordinary().increment_weak_held(); }
    [[nodiscard]] bool decrement_weak() noexcept { return word_.ordinary().decrement_weak(); }

    [[nodiscard]] std::int64_t value() const noexcept { return word_.value(); }
    [[nodiscard]] bool is_at_rest() const noexcept { return word_.ordinary().is_at_rest(); }

    // See sharded_count.hpp.
    void share_out() noexcept { word_.share_out(); }
    void gather() noexcept { word_.gather(); }
    [[nodiscard]] bool is_shared_out() const noexcept { return word_.is_shared_out(); }

private:
    [[no_unique_address]] basic_sharded_word<ordinary, Platform> word_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
