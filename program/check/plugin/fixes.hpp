// SPDX-License-Identifier: BSL-1.0
// How to write a construct so that it does not zero, in the C++ standard of its file.
#pragma once

#include "constructs.hpp"

#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

namespace freehold::check {

struct fix {
    std::vector<clang::FixItHint> replacements;  ///< None if no replacement keeps the meaning.
    std::string advice;
};

/// True for a container construct whose container is a string.
bool is_string(const construct& what);

/// `variable` and `initializer` say where a construct of that kind stands; else they are null.
fix fix_for(const construct& what, const clang::VarDecl* variable,
            const clang::CXXCtorInitializer* initializer, const clang::ASTContext& context);

}  // namespace freehold::check
