// SPDX-License-Identifier: BSL-1.0
// What it is: the concepts that a count of owners satisfies. reference_count counts owners.
// weak_reference_count counts owners and weak references. weakable_reference_count is a
// reference_count that names a weak_reference_count by its member `with_weak`; shared_ptr and arc
// need it.
// When to use it: to write a count for the handles of this library.
// Example: `static_assert(freehold::weakable_reference_count<freehold::local_count>);`
//
// A reference_count starts at the value that its constructor gets.
//   decrement      returns true to exactly one caller: the one that gave up the last ownership.
//                  That caller sees everything that the other owners wrote. Afterwards the value
//                  has no meaning, and the count may only be destroyed.
//   value          sees what former owners wrote. An owner that reads 1 may therefore treat the
//                  object as its own.
//
// A weak_reference_count starts with one owner of an object of the type that its constructor gets,
// and no weak reference. All owners together hold one further weak reference.
//   decrement      returns what remains:
//     owners           other owners
//     weak_references  weak references. Exactly one caller gets this. It destroys the object, and
//                      then gives up the weak reference that all owners held together.
//     nothing          nothing. The caller destroys the object and frees the memory.
//     memory           the memory, which other threads have left to the caller to free
//   try_increment  fails if and only if the last owner has been released
//   decrement_weak returns true to one caller, which frees the memory, unless decrement says so
//   depart, settle the two halves of decrement. Handles inline the first where they are released.
//                  Unless leaves_owners(seen) is true, settle says what remains.
//   rests_alone    a short settle, for example for a handle that was never copied. If it returns
//                  true, nothing remains; otherwise settle says what remains.
//   increment_held, decrement_held
//                  as many increments or decrements, for a caller that holds so many owners and
//                  lets no other thread use them meanwhile. If these are all handles, the
//                  functions execute no locked instruction.
//   increment_weak_held
//                  increment_weak, for a caller that holds an owner in that way
//
// Such a count is at rest when the last handle has been released. While its bytes do not change, it
// terminates the program, with a message, when a handle is released or copied once more. If owners
// are released once too often while there are others, the last release finds out.
//
// Units: owners and weak references.
// Complexity: constant.
// Thread safety: a count says by is_thread_safe whether several threads may use distinct owners.
// Exceptions: no operation throws. A count does not wrap. local_count would need centuries to fill.
// The others terminate the program: atomic_count at 2^31 owners, those with weak references at 2^34
// owners or 2^28 weak references.
// Ownership: none; the object that has the count owns it.
// Source: none.
#pragma once

#include <freehold/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class C>
concept reference_count =
    requires { sizeof(C); } && std::is_nothrow_constructible_v<C, std::int64_t> &&
    std::is_nothrow_destructible_v<C> && requires(C& count, const C& observed) {
                                             { count.increment() } noexcept -> std::same_as<void>;
                                             { count.decrement() } noexcept -> std::same_as<bool>;
                                             {
                                                 observed.value()
                                                 } noexcept -> std::same_as<std::int64_t>;
                                             typename std::bool_constant<C::is_thread_safe>;
                                         };

// What remains of an object and its block after a release; see decrement above.
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

// Returns a count that starts at `initial` for an object of type T. A count that is biased to a
// thread and a type gets the type.
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
