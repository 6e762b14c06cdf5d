// SPDX-License-Identifier: BSL-1.0
// Where expressions stand in the text of the user's files.
#pragma once

#include <string>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceLocation.h>

namespace freehold::check {

/// True if a macro wrote an end of it, or if it is not in a file.
bool in_macro(clang::SourceRange range);
/// Just behind the token that begins there.
clang::SourceLocation end_of(clang::SourceLocation token, const clang::ASTContext& context);
/// The character before (-1) or after (+1) spaces next to the location; its location.
std::pair<char, clang::SourceLocation> neighbour(clang::SourceLocation from, int direction,
                                                 const clang::ASTContext& context);
/// Without the spaces around it.
std::string text_of(clang::CharSourceRange range, const clang::ASTContext& context);
/// The text from the first token up to the end of the last one.
std::string text_of(clang::SourceRange tokens, const clang::ASTContext& context);
/// Spaces and tabs at the beginning of the location's line.
std::string indentation_at(clang::SourceLocation where, const clang::ASTContext& context);

}  // namespace freehold::check
