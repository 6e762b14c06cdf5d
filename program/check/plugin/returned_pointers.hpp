// SPDX-License-Identifier: BSL-1.0
// Functions that return a pointer or an iterator into what one of their arguments points to.
#pragma once

#include <cstddef>
#include <optional>

#include <clang/AST/Expr.h>

namespace freehold::check {

/// For algorithms that write some of what they read, and return the end of what they wrote: the
/// argument that says where they write.
std::optional<unsigned> target_of_selection(llvm::StringRef name);
/// For these and all others that return the end of what they wrote.
std::optional<unsigned> returned_target(llvm::StringRef name, std::size_t arguments);
/// For a function of the file that returns a pointer computed from one of its parameters: which.
std::optional<unsigned> returned_parameter(const clang::CallExpr* call);

}  // namespace freehold::check
