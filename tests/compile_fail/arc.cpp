// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <string>

using freehold::arc;
using freehold::make_arc;
using freehold::weak_arc;

struct plain {};
struct derived_from_plain : plain {};
struct base {
    virtual ~base() = default;
};
struct other_base {
    virtual ~other_base() = default;
};
struct derived : base, other_base {};

void use() {
    arc<derived> owner = make_arc<derived>();
    arc<base> first = owner;
    arc<const derived> constant = owner;
    arc<int[]> array = make_arc<int[]>(3);
    weak_arc<derived> weak = owner;
#ifdef from_a_plain_pointer
    // error: no matching function for call to 'arc<int>::arc(int*)'
    arc<int> adopted(new int);
#endif
#ifdef to_a_base_without_virtual_functions
    // error: conversion from 'arc<derived_from_plain,[...],[...]>' to non-scalar type 'arc<plain,[
    arc<plain> sliced = make_arc<derived_from_plain>();
#endif
#ifdef to_a_base_that_is_not_at_the_start
    // error: conversion from 'arc<derived>' to non-scalar type 'arc<other_base>' requested
    arc<other_base> second = owner;
#endif
#ifdef to_a_derived_class
    // error: conversion from 'arc<base>' to non-scalar type 'arc<derived>' requested
    arc<derived> back = first;
#endif
#ifdef to_one_that_may_write
    // error: conversion from 'arc<const derived>' to non-scalar type 'arc<derived>' requested
    arc<derived> writable = constant;
#endif
#ifdef to_another_count
    // error: conversion from 'arc<[...],basic_atomic_count<standard_atomics>>' to non-scalar type
    arc<derived, freehold::local_count> local = owner;
#endif
#ifdef dereferenced_while_weak
    // error: base operand of '->' has non-pointer type 'weak_arc<derived, basic_atomic_count<stand
    static_cast<void>(weak->first);
#endif
#ifdef array_dereferenced
    // error: no match for 'operator*' (operand type is 'arc<int []>')
    *array = 1;
#endif
#ifdef object_indexed
    // error: no match for 'operator[]' (operand types are 'arc<derived>' and 'int')
    static_cast<void>(owner[0]);
#endif
#ifdef of_bounded_array
    // error: the length of an array is not part of arc's type
    arc<int[3]> bounded;
#endif
#ifdef of_void
    // error: arc owns objects
    arc<void> nothing;
#endif
#ifdef to_shared_ptr_of_another_type
    // error: conversion from 'arc<derived>' to non-scalar type 'shared_ptr<std::__cxx11::basic_str
    freehold::shared_ptr<std::string> text = owner;
#endif
#ifdef compared_with_an_unrelated_type
    // error: no match for 'operator==' (operand types are 'arc<derived>' and 'arc<int []>')
    static_cast<void>(owner == array);
#endif
}
