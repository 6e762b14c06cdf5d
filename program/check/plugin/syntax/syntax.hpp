// SPDX-License-Identifier: BSL-1.0
// What the syntax tree of a program says without an analysis: names, classes, and expressions
// without their wrappers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

/// The name of the function or class itself; "" for an operator.
llvm::StringRef name_of(const clang::NamedDecl* declaration);
/// The qualified name without the standard libraries' inline namespaces. "" if there is no name.
std::string qualified_name(const clang::NamedDecl* declaration);
std::string name_of_callee(const clang::CallExpr* call);
bool is_in_system_header(const clang::Decl* declaration, const clang::ASTContext& context);
bool is_noexcept(const clang::FunctionDecl* function);
/// True for a library's function on a stream, if the file sets the stream's mask of exceptions.
bool throws_as_stream(const clang::FunctionDecl* function);
/// True for a function of the library that throws for another reason than a lack of memory.
bool throws_by_contract(const clang::FunctionDecl* function);

/// The class of the type, or of the type to which it points or refers. May be null.
const clang::CXXRecordDecl* class_of(clang::QualType type);
bool is_view_class(const clang::CXXRecordDecl* record);
/// The first argument of a class template's specialisation, if it is a type.
clang::QualType first_type_argument(clang::QualType type);
bool is_stream(clang::QualType type);
/// True for a variable that another thread may change at any time.
bool is_atomic(clang::QualType type);
/// True for an iterator or a pointer, and false for a range.
bool is_iterator(clang::QualType type);
/// 0 for an incomplete type, for none, and for one that depends on a template's arguments.
std::int64_t size_in_bytes(clang::QualType type, const clang::ASTContext& context);
/// True for a constant, whose value is then stored. A value that depends on a template's arguments
/// is no constant: clang must not be asked for it.
bool is_constant(const clang::Expr* value, clang::Expr::EvalResult& into,
                 const clang::ASTContext& context);

/// True for `std::move(x)` and similar calls, which return their argument.
bool is_passed_through(const clang::CallExpr* call);
/// The expression without wrappers that do not change what it refers to.
const clang::Expr* strip(const clang::Expr* expression);
/// The expression without such wrappers and without any casts.
const clang::Expr* strip_casts(const clang::Expr* expression);
/// The arguments of a call or a constructor, without default arguments.
std::vector<const clang::Expr*> written_arguments(const clang::Expr* expression);

/// The object whose member function or operator is called. Null if there is none.
const clang::Expr* receiver_of(const clang::Expr* call);
/// The arguments of a call, without its receiver.
std::vector<const clang::Expr*> arguments_of_call(const clang::CallExpr* call);
/// The argument for the parameter, of a call or a constructor. Null if there is none.
const clang::Expr* argument_of(const clang::Expr* call, unsigned parameter);
bool is_assignment(const clang::Expr* expression);
/// The left (0) or the right (1) side of an assignment.
const clang::Expr* side_of(const clang::Expr* assignment, unsigned index);
/// The variable that the expression names. Null if it is another expression.
const clang::VarDecl* variable_named(const clang::Expr* expression);

template <class Names>
bool is_one_of(llvm::StringRef name, const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& each) { return name == llvm::StringRef(each); });
}

/// A function of the C library has the same name inside and outside of `std`.
inline llvm::StringRef without_std(llvm::StringRef name) {
    name.consume_front("std::");
    return name;
}

/// True for a virtual function if neither it nor its class is final.
bool may_be_overridden(const clang::CXXMethodDecl& method);

/// True if the lambda gets a copy of a variable.
bool is_copy(const clang::LambdaCapture& capture);

/// True if the statement assigns the variable, or takes its address.
bool is_changed(const clang::Stmt* part, const clang::VarDecl* variable);

/// True if a lambda in the statement captures the variable as a copy.
bool is_copied_by_lambda(const clang::Stmt* part, const clang::VarDecl* variable);

}  // namespace freehold::check
