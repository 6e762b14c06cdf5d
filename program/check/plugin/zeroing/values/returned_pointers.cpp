// SPDX-License-Identifier: BSL-1.0
#include "returned_pointers.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

std::optional<unsigned> target_of_selection(llvm::StringRef name) {
    constexpr std::array of_one = {"std::copy_if", "std::remove_copy", "std::remove_copy_if",
                                   "std::unique_copy"};
    constexpr std::array of_two = {"std::set_union", "std::set_intersection", "std::set_difference",
                                   "std::set_symmetric_difference"};
    if (is_one_of(name, of_one)) return 2;
    if (is_one_of(name, of_two)) return 4;
    return std::nullopt;
}

std::optional<unsigned> returned_target(llvm::StringRef name, std::size_t arguments) {
    constexpr std::array of_one = {"std::copy",
                                   "std::move",
                                   "std::copy_n",
                                   "std::reverse_copy",
                                   "std::replace_copy",
                                   "std::partial_sum",
                                   "std::inclusive_scan",
                                   "std::exclusive_scan",
                                   "std::replace_copy_if",
                                   "std::uninitialized_copy",
                                   "std::uninitialized_copy_n",
                                   "std::adjacent_difference"};
    constexpr std::array counted = {"std::fill_n", "std::generate_n", "std::uninitialized_fill_n"};
    if (const auto target = target_of_selection(name)) return target;
    if (is_one_of(name, of_one) && arguments > 2) return 2;
    if (is_one_of(name, counted)) return 0;
    if (name == "std::transform") return arguments == 5 ? 3 : 2;
    if (name == "std::rotate_copy") return 3;
    if (name == "std::merge") return 4;
    return std::nullopt;
}

namespace {

/// The parameter from which the function computes the pointer. Null if there is none.
const ParmVarDecl* base_parameter(const Expr* pointer) {
    for (;;) {
        pointer = strip(pointer);
        if (const auto* name = dyn_cast<DeclRefExpr>(pointer))
            return dyn_cast<ParmVarDecl>(name->getDecl());
        if (const auto* cast = dyn_cast<CastExpr>(pointer)) {
            pointer = cast->getSubExpr();
        } else if (const auto* sum = dyn_cast<BinaryOperator>(pointer)) {
            if (!sum->isAdditiveOp()) return nullptr;
            pointer = sum->getRHS()->getType()->isPointerType() ? sum->getRHS() : sum->getLHS();
        } else if (const auto* unary = dyn_cast<UnaryOperator>(pointer)) {
            if (!unary->isIncrementDecrementOp()) return nullptr;
            pointer = unary->getSubExpr();
        } else {
            return nullptr;
        }
    }
}

/// Returns false if two return statements use different parameters, or if one uses none.
bool find_returned(const Stmt* part, const ParmVarDecl*& found) {
    if (part == nullptr || isa<LambdaExpr>(part)) return true;
    if (const auto* result = dyn_cast<ReturnStmt>(part)) {
        const auto* one =
            result->getRetValue() != nullptr ? base_parameter(result->getRetValue()) : nullptr;
        if (one == nullptr || (found != nullptr && found != one)) return false;
        found = one;
        return true;
    }
    return std::all_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return find_returned(each, found); });
}

}  // namespace

std::optional<unsigned> returned_parameter(const CallExpr* call) {
    const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    const FunctionDecl* definition = nullptr;
    const ParmVarDecl* found = nullptr;
    if (callee == nullptr || isa<CXXMemberCallExpr>(call) || isa<CXXOperatorCallExpr>(call) ||
        !call->getType()->isPointerType() || !callee->hasBody(definition) ||
        definition->isDependentContext() || callee->isInStdNamespace() ||
        !find_returned(definition->getBody(), found) || found == nullptr ||
        found->getFunctionScopeIndex() >= call->getNumArgs())
        return std::nullopt;
    return found->getFunctionScopeIndex();
}

}  // namespace freehold::check
