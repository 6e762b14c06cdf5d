// SPDX-License-Identifier: BSL-1.0
// Gives a local vector an allocator that leaves its elements as they are.
#pragma once

#include "constructs.hpp"

#include <functional>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>

namespace clang {
class Preprocessor;
}

namespace freehold::check {

constexpr const char* allocator_header = "freehold/memory/default_init_allocator.hpp";

/// True if `#include <...>` of the file would find it.
bool finds_header(clang::Preprocessor& preprocessor, const char* header);

/// True if no zero that this other construct writes is ever read, or if it writes none.
using needs_no_zeroes = std::function<bool(const clang::Expr*)>;

/// The variable whose `resize` it is; null if it is anything else.
const clang::VarDecl* resized_variable(const construct& what);

/// Changes the variable's type, and leaves out the value that this construct writes. None if the
/// variable is used as a std::vector<T>, or if another construct must go on zeroing.
/// `with_type` is false if the type has been changed for another finding.
std::vector<clang::FixItHint> allocator_fix(const construct& what, const clang::VarDecl* variable,
                                            const clang::FunctionDecl* within, values& names,
                                            const needs_no_zeroes& other, bool with_type);

}  // namespace freehold::check
