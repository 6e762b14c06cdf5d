// SPDX-License-Identifier: BSL-1.0
// The differences between clang 14 and 19 that concern this plug-in.
#pragma once

#include <string_view>

#include <clang-tidy/utils/IncludeInserter.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/Version.h>
#include <llvm/ADT/StringRef.h>

namespace freehold::check {

inline bool has_no_initializer(const clang::CXXNewExpr& expression) {
#if CLANG_VERSION_MAJOR >= 18
    return expression.getInitializationStyle() == clang::CXXNewInitializationStyle::None;
#else
    return expression.getInitializationStyle() == clang::CXXNewExpr::NoInit;
#endif
}

/// clang 14 calls C++23 C++2b.
inline bool is_cpp23(const clang::LangOptions& options) {
#if CLANG_VERSION_MAJOR >= 17
    return options.CPlusPlus23;
#else
    return options.CPlusPlus2b;
#endif
}

inline clang::tidy::utils::IncludeInserter include_inserter() {
    constexpr auto style = clang::tidy::utils::IncludeSorter::IS_LLVM;
#if CLANG_VERSION_MAJOR >= 15
    return clang::tidy::utils::IncludeInserter(style, false);
#else
    return clang::tidy::utils::IncludeInserter(style);
#endif
}

inline unsigned width_of(const clang::FieldDecl& bits, const clang::ASTContext& context) {
#if CLANG_VERSION_MAJOR >= 20
    (void)context;
    return bits.getBitWidthValue();
#else
    return bits.getBitWidthValue(context);
#endif
}

inline bool is_pure(const clang::CXXMethodDecl& method) {
#if CLANG_VERSION_MAJOR >= 18
    return method.isPureVirtual();
#else
    return method.isPure();
#endif
}

inline std::string_view view_of(llvm::StringRef text) {
    return {text.data(), text.size()};
}

}  // namespace freehold::check
