// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/linked_ptr.hpp>

using freehold::linked_ptr;

struct base {};
struct derived : base {};
struct polymorphic {
    virtual ~polymorphic() = default;
};
struct polymorphic_derived : polymorphic {};
struct unrelated {};
struct deleter_that_cannot_be_copied {
    deleter_that_cannot_be_copied() = default;
    deleter_that_cannot_be_copied(deleter_that_cannot_be_copied&&) = default;
    void operator()(base*) const {}
};

void use() {
    linked_ptr<base> to_base(new base);
    linked_ptr<derived> to_derived(new derived);
    linked_ptr<polymorphic> to_polymorphic(new polymorphic_derived);
    linked_ptr<unrelated> to_unrelated(new unrelated);
    linked_ptr<const base> to_const(to_base);
#ifdef copied_through_a_base_without_virtual_destructor
    // error: the pointee would be deleted through a base without a virtual destructor: give the ba
    linked_ptr<base> copy(to_derived);
#endif
#ifdef assigned_through_a_base_without_virtual_destructor
    // error: the pointee would be deleted through a base without a virtual destructor: give the ba
    to_base = to_derived;
#endif
#ifdef acquired_through_a_base_without_virtual_destructor
    // error: the pointee would be deleted through a base without a virtual destructor: give the ba
    linked_ptr<base> owner(new derived);
#endif
#ifdef reset_through_a_base_without_virtual_destructor
    // error: the pointee would be deleted through a base without a virtual destructor: give the ba
    to_base.reset(new derived);
#endif
#ifdef copied_from_an_unrelated_type
    // error: call to 'linked_ptr<base>::linked_ptr(linked_ptr<unrelated>&)'
    linked_ptr<base> copy(to_unrelated);
#endif
#ifdef derived_from_base
    // error: call to 'linked_ptr<polymorphic_derived>::linked_ptr(linked_ptr<polymorphic>&)'
    linked_ptr<polymorphic_derived> copy(to_polymorphic);
#endif
#ifdef without_its_const
    // error: call to 'linked_ptr<base>::linked_ptr(linked_ptr<const base>&)'
    linked_ptr<base> copy(to_const);
#endif
#ifdef implicitly_from_a_raw_pointer
    // error: conversion from 'base*' to non-scalar type 'linked_ptr<base>' requested
    linked_ptr<base> implicit = new base;
#endif
#ifdef compared_with_an_unrelated_type
    // error: no match for 'operator==' (operand types are 'linked_ptr<base>' and 'linked_ptr<unrel
    static_cast<void>(to_base == to_unrelated);
#endif
#ifdef of_an_array
    // error: linked_ptr owns single objects: give it no array type
    linked_ptr<int[]> array;
#endif
#ifdef with_a_deleter_that_cannot_be_copied
    // error: linked_ptr hands its deleter from owner to owner: its copy constructor and assignment
    linked_ptr<base, deleter_that_cannot_be_copied> owner(new base);
#endif
}
