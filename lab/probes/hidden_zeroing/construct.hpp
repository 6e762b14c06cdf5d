// SPDX-License-Identifier: BSL-1.0
// A construct that may zero memory: a function that is compiled by itself, with its own text. To be
// compiled for each standard library.
#pragma once

#include <vector>

namespace lab {

/// Is shown the `n` bytes that a construct has made, before they are gone.
using observer = void (*)(const void* memory);

struct construct {
    const char* group;      ///< the table of the page that it is in
    const char* symbol;     ///< the name of `run` in the object file
    const char* code;       ///< what `run` is compiled from
    const char* remark;     ///< the symbol of another that does the same without zeroing, or text
    void (*run)(observer);  ///< null where the standard library or a tool does not have it
};

/// In the order of the page.
std::vector<construct>& all_constructs();

}  // namespace lab
