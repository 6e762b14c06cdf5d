// SPDX-License-Identifier: BSL-1.0
// Mutants that a model need not find, each with its reason.
#pragma once

#include "model/mutation.hpp"

#include <algorithm>
#include <fstream>
#include <span>
#include <string>

namespace freehold::model {

// Of the line of code that contains `code`, in this change.
struct excuse {
    const char* code;
    change by;
    const char* reason;
};

inline const excuse* excuse_of(std::span<const excuse> excuses, const std::string& code,
                               change by) {
    const auto found = std::find_if(excuses.begin(), excuses.end(), [&](const excuse& each) {
        return each.by == by && code.find(each.code) != std::string::npos;
    });
    return found != excuses.end() ? &*found : nullptr;
}

inline std::string code_at(const site& where) {
    std::ifstream source(where.file);
    std::string line;
    for (unsigned i = 0; i != where.line; ++i) std::getline(source, line);
    return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

}  // namespace freehold::model
