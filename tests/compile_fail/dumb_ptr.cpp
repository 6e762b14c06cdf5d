// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/dumb_ptr.hpp>

using freehold::dumb_ptr;

struct base {};
struct derived : base {};

void use() {
    dumb_ptr<base> to_base;
    dumb_ptr<derived> to_derived;
    to_base = to_derived;
#ifdef derived_from_base  // error: no matching
    dumb_ptr<derived> copy(to_base);
#endif
#ifdef implicitly_from_a_raw_pointer  // error: conversion from|no viable conversion
    dumb_ptr<base> implicit = new base;
#endif
#ifdef of_an_array  // error: deletes with delete, not delete..
    dumb_ptr<int[]> array;
#endif
}
