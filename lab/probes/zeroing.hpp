// SPDX-License-Identifier: BSL-1.0
// Finds code that zeroes memory, in the disassembly of a function and of what it calls within its
// object file. Such code is a call of memset or a similar function, `rep stos`, a sequence of
// stores of zero, or a loop of such stores.
//
// The code is read from top to bottom. At a label, a register keeps its known value only if that is
// zero. In doubt, code counts as zeroing: for example a fill with an unknown value or size. Stores
// into the function's own frame do not count.
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
    std::string means;  ///< the called function, `rep stos`, `stores` or `loop`

    bool operator==(const zeroing&) const = default;
};

/// Returns all code that zeroes at least `least_bytes` bytes at once, except calls of the functions
/// in `except`. Throws std::runtime_error if the function is not in the disassembly.
std::vector<zeroing> find_zeroing(const disassembly& code, const std::string& function,
                                  std::uint64_t least_bytes,
                                  const std::set<std::string>& except = {});

}  // namespace lab
