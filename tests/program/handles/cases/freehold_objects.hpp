// SPDX-License-Identifier: BSL-1.0
// What the parts of freehold.cpp share.
#pragma once

#include <freehold/handle/intrusive_ptr.hpp>

struct circle {
    int radius = 1;
};
// The barriers keep the first and last stores to counts, which a compiler leaves out where it sees
// that the object is new or about to be freed.
template <class Count>
struct node : freehold::intrusive_base<node<Count>, Count> {
    node() { asm volatile("" : : "r"(this) : "memory"); }
    ~node() { asm volatile("" : : "r"(this) : "memory"); }
    int value = 1;
};

template <class Handle>
__attribute__((noinline)) int by_value(Handle owner) {
    return owner != nullptr ? 1 : 0;
}
