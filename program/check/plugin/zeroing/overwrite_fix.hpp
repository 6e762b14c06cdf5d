// SPDX-License-Identifier: BSL-1.0
// Replaces a string's zeroing by resize_and_overwrite, and moves the statement that fills the
// string into the function that resize_and_overwrite calls.
#pragma once

#include "check/plugin/zeroing/fillers/fillers.hpp"
#include "constructs.hpp"

#include <functional>
#include <set>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>

namespace freehold::check {

/// True if these statements overwrite all zeroed bytes before any other statement follows.
using fills_whole = std::function<bool(const std::set<const clang::Stmt*>&)>;

/// True if the string's class has the member: C++23, and a library that is new enough.
bool has_resize_and_overwrite(const clang::CXXRecordDecl* string, const clang::ASTContext& context);

/// Empty if the meaning might change.
std::vector<clang::FixItHint> overwrite_fix(const construct& what,
                                            const clang::FunctionDecl* within, values& names,
                                            const fills_whole& fills);

}  // namespace freehold::check
