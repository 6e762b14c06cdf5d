// SPDX-License-Identifier: BSL-1.0
// Functions without a known body that may fill a buffer, as their declarations suggest. The command
// proposes them for the option FillFunctions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace freehold::check {

struct possible_filler {
    std::string arguments;                ///< `name:buffer:size`, as in FillFunctions.
    std::vector<std::string_view> forms;  ///< Each `how` that the type of the result allows.
};

/// `buffer` is the argument that points to the buffer. There is one for each argument that may be
/// its size.
std::vector<possible_filler> possible_fillers_of(const clang::FunctionDecl& function,
                                                 unsigned buffer, const clang::ASTContext& context);

}  // namespace freehold::check
