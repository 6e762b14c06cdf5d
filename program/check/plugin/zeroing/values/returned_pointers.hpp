// SPDX-License-Identifier: BSL-1.0
// Functions that return a pointer or an iterator into the memory of one of their arguments.
#pragma once

#include <cstddef>
#include <optional>

#include <clang/AST/Expr.h>

namespace freehold::check {

/// For algorithms that write some of the elements that they read, and return the end of the output:
/// the index of the argument where they write.
std::optional<unsigned> target_of_selection(llvm::StringRef name);
/// The same for these algorithms, and for all others that return the end of their output.
std::optional<unsigned> returned_target(llvm::StringRef name, std::size_t arguments);
/// For a function of the file that returns a pointer computed from one of its parameters: the index
/// of that parameter.
std::optional<unsigned> returned_parameter(const clang::CallExpr* call);

}  // namespace freehold::check
