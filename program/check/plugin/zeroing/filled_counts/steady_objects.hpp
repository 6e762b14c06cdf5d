// SPDX-License-Identifier: BSL-1.0
// Expressions that name members, and the objects that have these members.
#pragma once

#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

using field_set = std::set<const clang::FieldDecl*>;

/// The member variable that the expression names. Null if it names a function.
const clang::FieldDecl* field_of(const clang::MemberExpr* member);
/// The type of the elements of an array, or of what a pointer or a container has.
clang::QualType element_type_of(const clang::FieldDecl* buffer);
/// The expression without calls of `data()` and the like.
const clang::Expr* beginning_of(const clang::Expr* from);
/// True for an expression that names the same object each time.
bool is_steady(const clang::Expr* object);
/// True if both expressions are written alike, but for their casts.
bool is_same(const clang::Expr* a, const clang::Expr* b, const clang::ASTContext& context);
bool is_constant_zero(const clang::Expr* value, const clang::ASTContext& context);
/// True if the variable is an object, or names one, that was made for it.
bool names_new_object(const clang::VarDecl* variable);

}  // namespace freehold::check
