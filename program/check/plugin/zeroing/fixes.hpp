// SPDX-License-Identifier: BSL-1.0
// Finds how to write a construct so that it does not zero, in the C++ standard of its file.
#pragma once

#include "constructs.hpp"

#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

namespace freehold::check {

struct fix {
    std::vector<clang::FixItHint> replacements;  ///< Empty if no replacement keeps the meaning.
    std::string advice;
};

/// True for a string among the container constructs.
bool is_string(const construct& what);

/// `variable` and `initializer` say where constructs of these kinds are. They are null for other
/// kinds.
fix fix_for(const construct& what, const clang::VarDecl* variable,
            const clang::CXXCtorInitializer* initializer, const clang::ASTContext& context);

}  // namespace freehold::check
