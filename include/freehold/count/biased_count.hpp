// SPDX-License-Identifier: BSL-1.0
// What it is: a count of owners for several threads that is biased to the thread that made the
// object. That thread counts almost for free. Other threads pay for an atomic count.
// When to use it: most copies and releases are on the thread that made the object, and other
// threads sometimes use it.
// When not: if objects usually move to other threads and are copied there (atomic_count).
// Example: `auto shown = freehold::make_shared<widget, freehold::biased_count>();`
//
// All that biased_count_with_weak.hpp says of owners holds for this count. A count is biased to the
// thread that constructs it and to the type given to its constructor. If it is constructed from a
// number alone, it is atomic on all threads.
//
// Units: 16 bytes.
// Complexity: see biased_count_with_weak.hpp.
// Thread safety: several threads may use distinct owners at once. Signal handlers must not call
// share().
// Exceptions: none. The count terminates the program instead of wrapping, and if the system
// withdraws membarrier(2) from the running process.
// Ownership: none; the object that has the count owns it.
// Source: see biased_count_with_weak.hpp.
#pragma once

#include <freehold/count/detail/bias_platform.hpp>
#include <freehold/count/detail/biased_count_with_weak.hpp>
#include <freehold/count/detail/biased_word.hpp>
#include <freehold/count/reference_count.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// What biased_count shares with the tests: the count on a platform.
template <class Platform>
class basic_biased_count {
public:
    // Starts at `initial`, biased to `owner`.
    constexpr basic_biased_count(std::int64_t initial, std::uintptr_t owner) noexcept
        : word_(initial, owner) {}

    void increment() noexcept { word_.template add<1>(); }
    [[nodiscard, gnu::always_inline]] bool decrement() noexcept {
        const sequence_outcome seen = word_.template subtract<1, 1>();
        if (seen == sequence_outcome::done) return false;
        return seen == sequence_outcome::last ||
               word_.template settle<1, 1>(seen) == sequence_outcome::last;
    }

    // Gives up the bias. This costs almost nothing if the calling thread has the bias: call it
    // before you hand a copy to another thread. It may be called at any time, except by a signal
    // handler.
    void share() noexcept { word_.template share<1>(); }

    [[nodiscard]] std::int64_t value() const noexcept { return word_.value(); }

private:
    basic_biased_word<Platform> word_;
};

}  // namespace detail

class biased_count : public detail::basic_biased_count<detail::restartable_platform> {
public:
    using with_weak = biased_count_with_weak;
    static constexpr bool is_thread_safe = true;

    // Starts at `initial`. The count is biased to the calling thread only if it gets a type.
    constexpr explicit biased_count(std::int64_t initial) noexcept
        : basic_biased_count(initial, initial <= 1 ? detail::fresh : detail::shared) {}
    template <class T>
    biased_count(std::int64_t initial, std::in_place_type_t<T>) noexcept
        : basic_biased_count(initial, detail::new_owner<T>()) {}
    biased_count(const biased_count&) = delete;
    biased_count& operator=(const biased_count&) = delete;
};

static_assert(weakable_reference_count<biased_count>);

}  // namespace freehold::inline FREEHOLD_ABI
