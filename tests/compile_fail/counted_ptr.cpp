// SPDX-License-Identifier: BSL-1.0
#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

using freehold::counted_ptr;

struct base {};
struct derived : base {};
struct unrelated {};
struct undefined;
struct almost_a_count {
    explicit almost_a_count(std::int64_t) noexcept {}
    void increment() noexcept {}
    bool decrement() noexcept { return true; }
};
undefined* find_undefined();

void use() {
    counted_ptr<base> to_base(new base);
    counted_ptr<derived> to_derived(new derived);
    counted_ptr<unrelated> to_unrelated(new unrelated);
    counted_ptr<const base> to_const(to_derived);
    counted_ptr<undefined> to_undefined;
#ifdef copied_from_an_unrelated_type
    // error: call to 'counted_ptr<base>::counted_ptr(counted_ptr<unrelated>&)'
    counted_ptr<base> copy(to_unrelated);
#endif
#ifdef assigned_from_an_unrelated_type
    // error: no match for 'operator=' (operand types are 'counted_ptr<base>' and 'counted_ptr<unre
    to_base = to_unrelated;
#endif
#ifdef derived_from_base
    // error: call to 'counted_ptr<derived>::counted_ptr(counted_ptr<base>&)'
    counted_ptr<derived> copy(to_base);
#endif
#ifdef without_its_const
    // error: call to 'counted_ptr<base>::counted_ptr(counted_ptr<const base>&)'
    counted_ptr<base> copy(to_const);
#endif
#ifdef copied_from_another_count
    // error: call to 'counted_ptr<base, basic_atomic_count<standard_atomics> >::counted_ptr(counte
    counted_ptr<base, freehold::atomic_count> copy(to_base);
#endif
#ifdef copied_from_another_allocator
    // error: call to 'counted_ptr<base, local_count, common_pool_allocator<std::byte> >::counted_p
    counted_ptr<base, freehold::local_count, freehold::common_pool_allocator<std::byte>> copy(
        to_base);
#endif
#ifdef implicitly_from_a_raw_pointer
    // error: conversion from 'base*' to non-scalar type 'counted_ptr<base>' requested
    counted_ptr<base> implicit = new base;
#endif
#ifdef assigned_from_a_raw_pointer
    // error: no match for 'operator=' (operand types are 'counted_ptr<base>' and 'base*')
    to_base = new base;
#endif
#ifdef of_an_array
    // error: counted_ptr owns single objects: give it no array type
    counted_ptr<int[]> array;
#endif
#ifdef of_a_reference
    // error: counted_ptr owns objects: give it no reference type
    counted_ptr<int&> reference;
#endif
#ifdef counted_by_what_is_no_count
    // error: template constraint failure for 'template<class T, class Count, class Allocator>  req
    counted_ptr<base, almost_a_count> uncounted;
#endif
#ifdef with_a_deleter_for_something_else
    // error: call to 'counted_ptr<base>::counted_ptr(base*, use()::<lambda(unrelated*)>)'
    counted_ptr<base> deleted(new base, [](unrelated*) {});
#endif
#ifdef acquired_while_undefined
    // error: invalid application of 'sizeof' to incomplete type 'undefined'
    to_undefined = counted_ptr<undefined>(find_undefined());
#endif
#ifdef compared_with_an_unrelated_type
    // error: no match for 'operator==' (operand types are 'counted_ptr<base>' and 'counted_ptr<unr
    static_cast<void>(to_base == to_unrelated);
#endif
#ifdef void_dereferenced
    // error: 'void*' is not a pointer-to-object type
    counted_ptr<void> erased(to_base);
    static_cast<void>(erased->member);
#endif
    static_cast<void>(to_base == to_derived);
}
