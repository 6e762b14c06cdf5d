// SPDX-License-Identifier: BSL-1.0
// What a function may change besides its own variables: members, variables of others, and what
// pointers and references lead to.
#pragma once

#include "check/plugin/zeroing/values/paths.hpp"

#include <map>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

namespace freehold::check {

struct side_effect {
    bool anything = false;  ///< A function without a known body may be called.
    bool throws = false;    ///< An exception may leave the function.
    std::set<const clang::ValueDecl*> names;
    std::set<const clang::Type*> targets;  ///< The types of what is written through pointers.
    std::set<const clang::Type*> parts;    ///< The types of members and global variables written.
    std::set<const clang::Type*> objects;  ///< The types of a library's objects that are changed.
    bool bytes = false;  ///< A byte is written through a pointer, which may be a byte of a number.

    void add(const side_effect& other);
    /// True if the last step of the path, or the variable, may get another value.
    [[nodiscard]] bool may_change(const path& of, const clang::ASTContext& context) const;
};

/// True for a member function of a library that only looks at its object, or changes its elements.
bool keeps_object(const clang::CXXMethodDecl& method);

class side_effects {
public:
    /// The effects of a call of the function. Null means a function that is not known.
    const side_effect& of(const clang::FunctionDecl* function, const clang::ASTContext& context);
    /// The effects of the end of an object of this type.
    const side_effect& of_end(clang::QualType type, const clang::ASTContext& context);
    /// What the statement itself writes through a pointer or a reference.
    static side_effect of_assignment(const clang::Expr* target, const clang::ASTContext& context);
    /// What a function of a library changes if it calls no other code. `object` may be null.
    static side_effect of_library_call(const clang::FunctionDecl* callee, const clang::Expr* object,
                                       llvm::ArrayRef<const clang::Expr*> arguments);

private:
    struct direct_effect {
        side_effect own;
        std::set<const clang::FunctionDecl*> called;
    };
    const direct_effect& direct(const clang::FunctionDecl* function,
                                const clang::ASTContext& context);

    void add_called(std::set<const clang::FunctionDecl*> called, const clang::ASTContext& context,
                    side_effect& to);

    std::map<const clang::FunctionDecl*, direct_effect> direct_;
    std::map<const clang::Type*, side_effect> ends_;
    std::map<const clang::FunctionDecl*, side_effect> all_;
};

/// The local variables of the function that others may reach: by their addresses, by references, or
/// by lambdas.
std::set<const clang::VarDecl*> escaping_variables(const clang::Stmt* body,
                                                   const clang::ASTContext& context);

}  // namespace freehold::check
