// SPDX-License-Identifier: BSL-1.0
// What one compiler with one standard library makes of the constructs: read from what main.cpp
// prints, and from the disassembly of the constructs' object files.
#pragma once

#include "probes/disassembly.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lab {

enum class verdict { missing, leaves, zeroes };

struct judged_construct {
    std::string group;
    std::string symbol;
    std::string code;
    std::string remark;
    verdict is = verdict::missing;
    std::size_t other = 0;  ///< so many of its bytes were set to something else than zero
    std::string means;      ///< what zeroes, as far as it is in the object files
};

struct column {
    std::string compiler;  ///< with its version, as all three
    std::string library;
    std::string clang_tidy;  ///< empty if there was none
    std::vector<judged_construct> constructs;

    /// Throws std::runtime_error if there is no such construct.
    const judged_construct& at(const std::string& symbol) const;
};

/// Throws std::runtime_error if `printed` is nothing that main.cpp prints, or `code` is of
/// something else.
column read_column(const std::string& printed, const disassembly& code);

}  // namespace lab
