// SPDX-License-Identifier: BSL-1.0
// What the syntax tree of a program tells without an analysis: names, classes, and expressions
// without what wraps them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

/// The name of the function or class itself; "" for an operator.
llvm::StringRef name_of(const clang::NamedDecl* declaration);
/// Without the inline namespaces of the standard libraries; "" if it has no name.
std::string qualified_name(const clang::NamedDecl* declaration);
std::string name_of_callee(const clang::CallExpr* call);
bool is_in_system_header(const clang::Decl* declaration, const clang::ASTContext& context);

/// The class of the expression's type, or of what its type points or refers to; may be null.
const clang::CXXRecordDecl* class_of(clang::QualType type);
bool is_view_class(const clang::CXXRecordDecl* record);
/// The first argument of a class template's specialisation, if it is a type.
clang::QualType first_type_argument(clang::QualType type);
bool is_stream(clang::QualType type);
/// An iterator or a pointer, as against a range.
bool is_iterator(clang::QualType type);

/// True for `std::move(x)` and its like, which return their argument.
bool is_passed_through(const clang::CallExpr* call);
/// Without what wraps it and does not change what it refers to.
const clang::Expr* strip(const clang::Expr* expression);
/// Without casts too, whatever they do.
const clang::Expr* strip_casts(const clang::Expr* expression);
/// Those of a call or a constructor that are no default arguments.
std::vector<const clang::Expr*> written_arguments(const clang::Expr* expression);

template <class Names>
bool is_one_of(llvm::StringRef name, const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& each) { return name == llvm::StringRef(each); });
}

/// A function of the C library has the same name in `std` and outside it.
inline llvm::StringRef without_std(llvm::StringRef name) {
    name.consume_front("std::");
    return name;
}

}  // namespace freehold::check
