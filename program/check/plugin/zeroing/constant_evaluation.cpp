// SPDX-License-Identifier: BSL-1.0
#include "constant_evaluation.hpp"

#include <algorithm>

namespace freehold::check {
namespace {

using namespace clang;

/// The function or constructor that the expression calls. Null if it calls none.
const FunctionDecl* called(const Stmt* expression) {
    const FunctionDecl* result = nullptr;
    if (const auto* call = dyn_cast<CallExpr>(expression)) result = call->getDirectCallee();
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression))
        result = construct->getConstructor();
    return result != nullptr ? result->getCanonicalDecl() : nullptr;
}

template <class Function>
void for_each_call(const Stmt* part, Function function) {
    if (part == nullptr || isa<LambdaExpr>(part)) return;
    if (const FunctionDecl* callee = called(part)) function(part, callee);
    for (const Stmt* child : part->children()) for_each_call(child, function);
}

bool is_dependent(const Expr& expression) {
    return expression.isTypeDependent() || expression.isValueDependent();
}

}  // namespace

void constant_evaluation::add_constant(const Expr* expression) {
    for_each_call(expression, [&](const Stmt* call, const FunctionDecl* callee) {
        constant_calls_.insert(call);
        called_in_constants_.insert(callee);
    });
}

void constant_evaluation::add_variable(const VarDecl& variable) {
    const Expr* initial = variable.getInit();
    if (initial == nullptr || is_dependent(*initial) || isa<ParmVarDecl>(variable)) return;
    if (variable.isConstexpr() ||
        (variable.hasGlobalStorage() && variable.hasConstantInitialization()))
        add_constant(initial);
    else if (!variable.isLocalVarDecl())
        for_each_call(initial, [&](const Stmt*, const FunctionDecl* callee) {
            called_at_start_.insert(callee);
        });
}

void constant_evaluation::add_call(const FunctionDecl& caller, const Expr& call) {
    const FunctionDecl* callee = called(&call);
    if (callee != nullptr && callee->isConstexpr()) calls_[callee].push_back({&caller, &call});
}

bool constant_evaluation::is_only_constant(const FunctionDecl& function, int depth) const {
    constexpr int deepest = 4;
    const FunctionDecl* key = function.getCanonicalDecl();
    if (!function.isConstexpr() || depth > deepest || called_at_start_.count(key) != 0)
        return false;
    const auto sites = calls_.find(key);
    if (sites == calls_.end()) return called_in_constants_.count(key) != 0;
    return std::all_of(sites->second.begin(), sites->second.end(), [&](const call_site& each) {
        return constant_calls_.count(each.call) != 0 || is_only_constant(*each.caller, depth + 1);
    });
}

}  // namespace freehold::check
