// SPDX-License-Identifier: BSL-1.0
// Finds expressions in the text of the user's files.
#pragma once

#include <string>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceLocation.h>

namespace freehold::check {

/// True if a macro wrote an end of the range, or if the range is not in a file.
bool in_macro(clang::SourceRange range);
/// The location after the token that begins there.
clang::SourceLocation end_of(clang::SourceLocation token, const clang::ASTContext& context);
/// The next character before (-1) or after (+1) the location that is not a space, and its location.
std::pair<char, clang::SourceLocation> neighbour(clang::SourceLocation from, int direction,
                                                 const clang::ASTContext& context);
/// The text of the range without spaces at its ends.
std::string text_of(clang::CharSourceRange range, const clang::ASTContext& context);
/// The text from the first token up to the end of the last one.
std::string text_of(clang::SourceRange tokens, const clang::ASTContext& context);
/// The spaces and tabs at the beginning of the location's line.
std::string indentation_at(clang::SourceLocation where, const clang::ASTContext& context);

}  // namespace freehold::check
