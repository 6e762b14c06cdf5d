// SPDX-License-Identifier: BSL-1.0
// A count that costs the thread which made the object next to nothing, and other threads what an
// atomic one costs.
//
// Costs 16 bytes. All that biased_count_with_weak.hpp says of owners holds here too. The thread and
// the type to which an object is biased are those with which the count is constructed; constructed
// from a number alone, it is atomic on all threads.
// Thread-safe: distinct owners may be used at once. Does not throw, does not wrap.
#pragma once

#include <freehold/count/bias_platform.hpp>
#include <freehold/count/biased_count_with_weak.hpp>
#include <freehold/count/biased_word.hpp>
#include <freehold/count/reference_count.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class Platform>
class basic_biased_count {
public:
    constexpr basic_biased_count(std::int64_t initial, std::uintptr_t owner) noexcept
        : word_(initial, owner) {}

    void increment() noexcept { word_.template add<1>(); }
    [[nodiscard, gnu::always_inline]] bool decrement() noexcept {
        const sequence_outcome seen = word_.template subtract<1, 1>();
        if (seen == sequence_outcome::done) return false;
        return seen == sequence_outcome::last ||
               word_.template settle<1, 1>(seen) == sequence_outcome::last;
    }

    // Gives up the bias, for almost nothing if the calling thread has it: call it before handing a
    // copy to another thread. May be called at any time, but by a signal handler.
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
