// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/dumb_ptr.hpp>

using freehold::dumb_ptr;

struct base {};
struct derived : base {};

void use() {
    dumb_ptr<base> to_base;
    dumb_ptr<derived> to_derived;
    to_base = to_derived;
#ifdef derived_from_base
    // error: no matching function for call to 'dumb_ptr<derived>::dumb_ptr(dumb_ptr<base>&)'
    dumb_ptr<derived> copy(to_base);
#endif
#ifdef implicitly_from_a_raw_pointer
    // error: conversion from 'base*' to non-scalar type 'dumb_ptr<base>' requested
    dumb_ptr<base> implicit = new base;
#endif
#ifdef of_an_array
    // error: dumb_ptr deletes with delete, not delete[]
    dumb_ptr<int[]> array;
#endif
}
