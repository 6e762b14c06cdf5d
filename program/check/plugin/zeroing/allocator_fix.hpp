// SPDX-License-Identifier: BSL-1.0
// Gives a local vector an allocator that does not initialise its elements.
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

/// True if `#include <...>` in the file would find the header.
bool finds_header(clang::Preprocessor& preprocessor, const char* header);

/// True if no zero of this other construct is ever read, or if it writes no zeros.
using needs_no_zeroes = std::function<bool(const clang::Expr*)>;

/// The variable of which the construct calls `resize`. Null for any other construct.
const clang::VarDecl* resized_variable(const construct& what);

/// Changes the variable's type, and removes the value that this construct writes. Empty if the
/// variable must stay a std::vector<T>, or if another construct must still zero.
/// `with_type` is false if another finding has already changed the type.
std::vector<clang::FixItHint> allocator_fix(const construct& what, const clang::VarDecl* variable,
                                            const clang::FunctionDecl* within, values& names,
                                            const needs_no_zeroes& other, bool with_type);

}  // namespace freehold::check
