// SPDX-License-Identifier: BSL-1.0
// What a handle asks of the number that says how many owners there are.
//
// A count starts at the value it is given. `decrement` answers true to exactly one caller: the one
// that gave up the last ownership, and that now sees everything the other owners wrote. After that
// the value has no meaning, and the count may only be destroyed. `value` sees what owners that have
// since let go wrote, so that an owner who finds 1 may treat the object as its own.
//
// Handles with weak references ask for more, which a count names by its member `with_weak`. That
// starts with one owner of an object of the type it is told, and no weak reference. `decrement`
// says what remains: `owners`; `weak_references` to exactly one caller if there are such, which
// destroys the object and then gives up the weak reference that all owners held together;
// `nothing`, and the caller destroys the object and frees the memory; or `memory`, which others
// have left to the caller to free. `try_increment` fails if and only if the last owner has let go.
// `decrement_weak` answers true to one caller, the one that frees the memory, if `decrement` does
// not say so. `depart` and `settle` are the two halves of `decrement`, the first to be inlined
// where handles are released: unless what it has seen `leaves_owners`, `settle` says what remains.
// `rests_alone` is a short `settle` for a handle that was never copied, for instance: where it
// answers true, that is nothing; else `settle` says what remains. `increment_held` and
// `decrement_held` are as many increments and decrements for a caller who holds so many owners and
// lets no other thread use them meanwhile: if those are all the handles there are, they cost no
// locked instruction. `increment_weak_held` is `increment_weak` for a caller who holds an owner in
// that way.
//
// Such a count rests when the last handle has let go: as long as its bytes are left as they are, it
// terminates the program when a handle is released or copied once more, and says so. Owners that
// are released once too often while there are others are found when the last of those lets go.
//
// No operation throws. A count does not wrap: local_count outlasts any machine that could fill it,
// the others terminate, atomic_count at 2^31 owners, those with weak references at 2^34 owners or
// 2^28 weak references.
#pragma once

#include <freehold/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class C>
concept reference_count =
    std::is_nothrow_constructible_v<C, std::int64_t> && std::is_nothrow_destructible_v<C> &&
    requires(C& count, const C& observed) {
        { count.increment() } noexcept -> std::same_as<void>;
        { count.decrement() } noexcept -> std::same_as<bool>;
        { observed.value() } noexcept -> std::same_as<std::int64_t>;
        typename std::bool_constant<C::is_thread_safe>;
    };

enum class remaining { owners, weak_references, nothing, memory };

template <class C>
concept weak_reference_count =
    std::is_nothrow_constructible_v<C, std::in_place_type_t<int>> &&
    std::is_nothrow_destructible_v<C> && requires(C& count, const C& observed) {
                                             { count.increment() } noexcept -> std::same_as<void>;
                                             {
                                                 count.try_increment()
                                                 } noexcept -> std::same_as<bool>;
                                             {
                                                 count.decrement()
                                                 } noexcept -> std::same_as<remaining>;
                                             {
                                                 C::leaves_owners(count.depart())
                                                 } noexcept -> std::same_as<bool>;
                                             {
                                                 count.rests_alone(count.depart())
                                                 } noexcept -> std::same_as<bool>;
                                             {
                                                 count.settle(count.depart())
                                                 } noexcept -> std::same_as<remaining>;
                                             {
                                                 count.increment_weak()
                                                 } noexcept -> std::same_as<void>;
                                             {
                                                 count.increment_weak_held()
                                                 } noexcept -> std::same_as<void>;
                                             {
                                                 count.decrement_weak()
                                                 } noexcept -> std::same_as<bool>;
                                             {
                                                 observed.value()
                                                 } noexcept -> std::same_as<std::int64_t>;
                                             {
                                                 observed.is_at_rest()
                                                 } noexcept -> std::same_as<bool>;
                                             {
                                                 count.increment_held(std::int64_t{1})
                                                 } noexcept -> std::same_as<void>;
                                             {
                                                 count.decrement_held(std::int64_t{1})
                                                 } noexcept -> std::same_as<remaining>;
                                         };

namespace detail {

// A count that starts at `initial` for an object of type T: one that is biased to a thread and a
// type is told the type.
template <class T, reference_count Count>
[[nodiscard]] constexpr Count starting_at(std::int64_t initial) noexcept {
    if constexpr (std::is_constructible_v<Count, std::int64_t, std::in_place_type_t<T>>) {
        return Count(initial, std::in_place_type<T>);
    } else {
        return Count(initial);
    }
}

}  // namespace detail

// A count with which shared_ptr and arc can have weak references.
template <class C>
concept weakable_reference_count =
    reference_count<C> && weak_reference_count<typename C::with_weak>;

}  // namespace freehold::inline FREEHOLD_ABI
