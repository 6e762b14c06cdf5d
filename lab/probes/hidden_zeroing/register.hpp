// SPDX-License-Identifier: BSL-1.0
// CONSTRUCT(group, symbol, CODE(what is compiled, and what the page shows), memory, remark) defines
// the function of a construct and adds it to all_constructs(); MISSING does the latter alone.
#pragma once

#include "probes/hidden_zeroing/construct.hpp"

namespace lab {

struct registered {
    explicit registered(const construct& one) { all_constructs().push_back(one); }
};

}  // namespace lab

#define CODE(...) (__VA_ARGS__)
#define WITHOUT_PARENTHESES(...) __VA_ARGS__
#define AS_TEXT(...) #__VA_ARGS__
#define APPLY(macro, arguments) macro arguments

#define CONSTRUCT(group, symbol, code, memory, remark) \
    extern "C" void symbol(lab::observer see) {        \
        APPLY(WITHOUT_PARENTHESES, code);              \
        see(memory);                                   \
    }                                                  \
    const lab::registered symbol##_entry({group, #symbol, APPLY(AS_TEXT, code), remark, &symbol})

#define MISSING(group, symbol, code, memory, remark) \
    const lab::registered symbol##_entry({group, #symbol, APPLY(AS_TEXT, code), remark, nullptr})
