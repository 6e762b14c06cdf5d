// SPDX-License-Identifier: BSL-1.0
// What a handle asks of the number that says how many owners there are.
//
// A count starts at the value it is given. `decrement` answers true to exactly one caller: the one
// that gave up the last ownership, and that now sees everything the other owners wrote. After that
// the value has no meaning, and the count may only be destroyed. `value` sees what owners that have
// since let go wrote, so that an owner who finds 1 may treat the object as its own.
// No operation throws. A count does not wrap: 63 bits outlast any machine that could fill them.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace freehold {

template <class C>
concept reference_count =
    std::is_nothrow_constructible_v<C, std::int64_t> && std::is_nothrow_destructible_v<C> &&
    requires(C& count, const C& observed) {
        { count.increment() } noexcept -> std::same_as<void>;
        { count.decrement() } noexcept -> std::same_as<bool>;
        { observed.value() } noexcept -> std::same_as<std::int64_t>;
        typename std::bool_constant<C::is_thread_safe>;
    };

}  // namespace freehold
