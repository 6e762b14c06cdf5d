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
#ifdef copied_through_a_base_without_virtual_destructor  // error: through a base without a virtual
    linked_ptr<base> copy(to_derived);
#endif
#ifdef assigned_through_a_base_without_virtual_destructor  // error: through a base without
    to_base = to_derived;
#endif
#ifdef acquired_through_a_base_without_virtual_destructor  // error: through a base without
    linked_ptr<base> owner(new derived);
#endif
#ifdef reset_through_a_base_without_virtual_destructor  // error: through a base without a virtual
    to_base.reset(new derived);
#endif
#ifdef copied_from_an_unrelated_type  // error: no matching
    linked_ptr<base> copy(to_unrelated);
#endif
#ifdef derived_from_base  // error: no matching
    linked_ptr<polymorphic_derived> copy(to_polymorphic);
#endif
#ifdef without_its_const  // error: no matching
    linked_ptr<base> copy(to_const);
#endif
#ifdef implicitly_from_a_raw_pointer  // error: conversion from|no viable conversion
    linked_ptr<base> implicit = new base;
#endif
#ifdef compared_with_an_unrelated_type  // error: no match for|invalid operands
    static_cast<void>(to_base == to_unrelated);
#endif
#ifdef of_an_array  // error: give it no array type
    linked_ptr<int[]> array;
#endif
#ifdef with_a_deleter_that_cannot_be_copied  // error: hands its deleter from owner to owner
    linked_ptr<base, deleter_that_cannot_be_copied> owner(new base);
#endif
}
