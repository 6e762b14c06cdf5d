// SPDX-License-Identifier: BSL-1.0
// Finds the functions that only the compiler evaluates. Zeroing in them costs no run time.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

class constant_evaluation {
public:
    /// A variable with an initialiser, anywhere in the file.
    void add_variable(const clang::VarDecl& variable);
    /// An expression that only the compiler evaluates, such as that of a static_assert, or an
    /// array's size.
    void add_constant(const clang::Expr* expression);
    /// A call in a function, or the construction of an object there.
    void add_call(const clang::FunctionDecl& caller, const clang::Expr& call);
    /// True if constant expressions call the function, and nothing else does.
    [[nodiscard]] bool is_only_constant(const clang::FunctionDecl& function) const {
        return is_only_constant(function, 0);
    }

private:
    struct call_site {
        const clang::FunctionDecl* caller = nullptr;
        const clang::Expr* call = nullptr;
    };
    [[nodiscard]] bool is_only_constant(const clang::FunctionDecl& function, int depth) const;

    std::map<const clang::FunctionDecl*, std::vector<call_site>> calls_;
    // The calls in constant expressions, and the functions that they call.
    std::set<const clang::Stmt*> constant_calls_;
    std::set<const clang::FunctionDecl*> called_in_constants_;
    // Functions that initialisers outside functions call at run time.
    std::set<const clang::FunctionDecl*> called_at_start_;
};

}  // namespace freehold::check
