// SPDX-License-Identifier: BSL-1.0
#include "source_text.hpp"

#include "clang_version.hpp"

#include <cctype>

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace freehold::check {

using namespace clang;

bool in_macro(SourceRange range) {
    return range.getBegin().isMacroID() || range.getEnd().isMacroID() || range.isInvalid();
}

SourceLocation end_of(SourceLocation token, const ASTContext& context) {
    return Lexer::getLocForEndOfToken(token, 0, context.getSourceManager(), context.getLangOpts());
}

std::pair<char, SourceLocation> neighbour(SourceLocation from, int direction,
                                          const ASTContext& context) {
    const auto& sources = context.getSourceManager();
    const auto [file, begin] = sources.getDecomposedLoc(from);
    const auto text = view_of(sources.getBufferData(file));
    auto offset = static_cast<std::ptrdiff_t>(begin) - (direction < 0 ? 1 : 0);
    while (offset >= 0 && offset < static_cast<std::ptrdiff_t>(text.size()) &&
           std::isspace(static_cast<unsigned char>(text[static_cast<std::size_t>(offset)])) != 0)
        offset += direction;
    if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(text.size())) return {'\0', from};
    return {text[static_cast<std::size_t>(offset)],
            from.getLocWithOffset(static_cast<int>(offset - static_cast<std::ptrdiff_t>(begin)))};
}

std::string text_of(CharSourceRange range, const ASTContext& context) {
    return Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts())
        .trim()
        .str();
}

std::string text_of(SourceRange tokens, const ASTContext& context) {
    return text_of(CharSourceRange::getTokenRange(tokens), context);
}

std::string indentation_at(SourceLocation where, const ASTContext& context) {
    const auto& sources = context.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(where);
    const auto text = view_of(sources.getBufferData(file));
    std::size_t begin = offset;
    while (begin > 0 && text[begin - 1] != '\n') --begin;
    std::size_t end = begin;
    while (end < offset && (text[end] == ' ' || text[end] == '\t')) ++end;
    return std::string(text.substr(begin, end - begin));
}

}  // namespace freehold::check
