// SPDX-License-Identifier: BSL-1.0
// The names that a function uses.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace freehold::check {

struct function_names {
    std::set<std::string> unqualified;  ///< Also of its variables, and of its class's members.
    std::vector<const clang::DeclRefExpr*> references;
    std::set<const clang::ValueDecl*> copied;  ///< By lambdas' captures.
};

function_names names_of(const clang::FunctionDecl* function);

}  // namespace freehold::check
