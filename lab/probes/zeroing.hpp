// SPDX-License-Identifier: BSL-1.0
// Finds code that zeroes memory, in the disassembly of a function and of what it calls within its
// object file: calls of memset and its like, `rep stos`, rows of stores of zero, and loops of them.
//
// The code is read from top to bottom. What is known of a register is kept across a label only if
// it is zero there, so that doubts are found rather than passed over: a fill whose value or size is
// not known counts as zeroing. Stores into the function's own frame do not count.
#pragma once

#include "probes/disassembly.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace lab {

struct zeroing {
    std::string function;
    std::string means;  ///< the function that is called, `rep stos`, `stores` or `loop`

    bool operator==(const zeroing&) const = default;
};

/// All that zeroes at least so many bytes at once, but for calls of those in `except`. Throws
/// std::runtime_error if the function is not in the disassembly.
std::vector<zeroing> find_zeroing(const disassembly& code, const std::string& function,
                                  std::uint64_t least_bytes,
                                  const std::set<std::string>& except = {});

}  // namespace lab
