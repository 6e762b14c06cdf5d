// SPDX-License-Identifier: BSL-1.0
// The atoms that stand for unknown values in polynomials: values of paths, sizes, results of calls,
// and expressions that are not polynomials.
#include "check/plugin/syntax/syntax.hpp"
#include "values.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace freehold::check {

using namespace clang;

namespace {

std::string key_of(const path& of) {
    std::string key(reinterpret_cast<const char*>(&of.root), sizeof of.root);
    key.append(reinterpret_cast<const char*>(of.members.data()), of.members.size() * sizeof(step));
    return key;
}

std::string key_of(const Expr* expression) {
    return {reinterpret_cast<const char*>(&expression), sizeof expression};
}

}  // namespace

atom values::intern(role what, const std::string& key, std::vector<path> depends) {
    const auto [found, is_new] =
        atoms_.try_emplace({what, key}, static_cast<atom>(depends_.size()));
    if (is_new) {
        depends_.push_back(std::move(depends));
        if (what == role::result || what == role::count) of_calls_.insert(found->second);
        if (what == role::size || what == role::fresh)
            axioms.push_back(polynomial::of(found->second));
    }
    return found->second;
}

atom values::value_atom(const path& of) {
    return intern(role::value, key_of(of), {of});
}

atom values::size_atom(const path& of) {
    return intern(role::size, key_of(of), {of});
}

atom values::base_atom(const path& of) {
    return intern(role::base, key_of(of), {of});
}

atom values::stream_atom(const path& of) {
    return intern(role::stream, key_of(of), {of});
}

atom values::stream_count_atom(const path& of) {
    return intern(role::stream_count, key_of(of), {of});
}

atom values::intern_of_call(role what, const std::string& key, const Expr* call) {
    const atom result = intern(what, key, {});
    if (isa<CallExpr>(call) && call->getType()->isSignedIntegerType()) signed_calls_.insert(result);
    return result;
}

atom values::result_atom(const Expr* call) {
    return intern_of_call(role::result, key_of(call), call);
}

std::optional<atom> values::known_result(const Expr* expression) const {
    const auto found = atoms_.find({role::result, key_of(expression)});
    return found != atoms_.end() ? std::optional(found->second) : std::nullopt;
}

atom values::count_atom(const Expr* call, std::int64_t which) {
    return intern_of_call(role::count, key_of(call) + std::to_string(which), call);
}

atom values::fresh_atom() {
    return intern(role::fresh, std::to_string(depends_.size()), {});
}

std::vector<atom> values::atoms_of(const path& changed, bool itself) const {
    std::vector<atom> result;
    for (std::size_t i = 0; i < depends_.size(); ++i) {
        const bool depends =
            std::any_of(depends_[i].begin(), depends_[i].end(), [&](const path& each) {
                return each.starts_with(changed) && (itself || !(each == changed));
            });
        if (depends) result.push_back(static_cast<atom>(i));
    }
    return result;
}

std::vector<atom> values::atoms_within(const FunctionDecl* function) const {
    std::vector<atom> result;
    for (std::size_t i = 0; i < depends_.size(); ++i) {
        const bool within =
            std::any_of(depends_[i].begin(), depends_[i].end(), [&](const path& each) {
                if (each.root == function) return true;
                const VarDecl* variable = variable_of(each);
                return variable != nullptr && variable->getParentFunctionOrMethod() == function;
            });
        if (within) result.push_back(static_cast<atom>(i));
    }
    return result;
}

/// Returns false if no path names a part of the expression.
bool values::collect_paths(const Stmt* part, std::vector<path>& into, bool& pure) const {
    if (part == nullptr) return true;
    if (const auto* expression = dyn_cast<Expr>(part)) {
        expression = strip(expression);
        const auto* conversion = dyn_cast<CastExpr>(expression);
        if (is_atomic(expression->getType()) ||
            (conversion != nullptr && conversion->getSubExpr()->getType().isVolatileQualified()))
            pure = false;
        if (auto found = path_of(expression)) {
            into.push_back(std::move(*found));
            return true;
        }
        if (const auto* call = dyn_cast<CallExpr>(expression)) {
            const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
            const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
            const std::string name = name_of_callee(call);
            constexpr std::array names_of_pure = {"strlen",   "std::size",   "std::min",
                                                  "std::max", "std::strlen", "std::distance",
                                                  "wcslen"};
            const bool is_const = method != nullptr && method->isConst() &&
                                  !method->getReturnType()->isReferenceType() &&
                                  !method->getReturnType()->isVoidType() &&
                                  !method->getParent()->hasMutableFields();
            const bool is_operator = isa<CXXOperatorCallExpr>(call) && method != nullptr;
            if (!is_const && !is_operator && !is_one_of(name, names_of_pure) &&
                !(callee != nullptr && callee->isConstexpr()))
                pure = false;
            for (const Expr* argument : call->arguments()) {
                collect_paths(argument, into, pure);
                if (!argument->getType()->isPointerType()) continue;
                if (auto target = pointee_of(argument)) into.push_back(std::move(*target));
            }
            if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
                collect_paths(member->getImplicitObjectArgument(), into, pure);
            return true;
        }
        if (isa<CXXNewExpr>(expression) || isa<LambdaExpr>(expression)) pure = false;
        if (const auto* unary = dyn_cast<UnaryOperator>(expression))
            if (unary->isIncrementDecrementOp()) pure = false;
        if (const auto* binary = dyn_cast<BinaryOperator>(expression))
            if (binary->isAssignmentOp()) pure = false;
        part = expression;
    }
    for (const Stmt* child : part->children()) collect_paths(child, into, pure);
    return true;
}

/// What is known of `x / c`, `x >> c`, `x % y` and `x & y`, if x and y cannot be negative.
void values::bound_quotient(const BinaryOperator& operation, atom result) {
    const auto not_negative = [&](const Expr* operand) -> std::optional<polynomial> {
        const polynomial value = value_of(operand);
        return is_never_negative(value) ? std::optional(value) : std::nullopt;
    };
    const auto left = not_negative(operation.getLHS());
    const auto right = not_negative(operation.getRHS());
    const polynomial name = polynomial::of(result);
    constexpr std::int64_t most_bits = 31;
    switch (operation.getOpcode()) {
        case BO_Div:
        case BO_Shr: {
            auto divisor = right ? right->constant() : std::nullopt;
            if (divisor && operation.getOpcode() == BO_Shr)
                divisor = *divisor <= most_bits ? std::int64_t{1} << *divisor : 0;
            if (!left || !divisor || *divisor < 1) return;
            axioms.push_back(*left - name * *divisor);
            axioms.push_back(name * *divisor + (*divisor - 1) - *left);
            break;
        }
        case BO_Rem:
            if (!left || !right) return;
            axioms.push_back(*left - name);
            axioms.push_back(*right - 1 - name);
            break;
        case BO_And:
            if (left) axioms.push_back(*left - name);
            if (right) axioms.push_back(*right - name);
            break;
        default:
            return;
    }
    axioms.push_back(name);
}

atom values::opaque_atom(const Expr* expression) {
    std::vector<path> depends;
    bool pure = true;
    collect_paths(expression, depends, pure);
    if (!pure) return result_atom(expression);
    llvm::FoldingSetNodeID profile;
    expression->Profile(profile, context_, true);
    std::string key;
    // The same text means different values in two functions.
    for (const path& each : depends) key += key_of(each);
    key += std::to_string(profile.ComputeHash());
    const auto before = depends_.size();
    const atom result = intern(role::opaque, key, std::move(depends));
    if (depends_.size() != before) {
        // What is true at one point of the program alone is no axiom.
        const evaluation nowhere(*this, nullptr);
        if (expression->getType()->isUnsignedIntegerType())
            axioms.push_back(polynomial::of(result));
        if (const auto* binary = dyn_cast<BinaryOperator>(strip(expression)))
            bound_quotient(*binary, result);
        if (expression->getType()->isSignedIntegerType())
            for (const polynomial& each : upper_bounds(expression))
                axioms.push_back(each - polynomial::of(result));
    }
    return result;
}

std::vector<polynomial> values::upper_bounds(const Expr* expression) {
    expression = strip(expression);
    if (const auto* call = dyn_cast<CallExpr>(expression)) {
        if (call->getNumArgs() != 2 || name_of_callee(call) != "std::min") return {};
        return {value_of(call->getArg(0)), value_of(call->getArg(1))};
    }
    const auto* choice = dyn_cast<ConditionalOperator>(expression);
    const auto* test =
        choice != nullptr ? dyn_cast<BinaryOperator>(strip(choice->getCond())) : nullptr;
    if (test == nullptr || !test->isRelationalOp()) return {};
    polynomial low = value_of(test->getLHS());
    polynomial high = value_of(test->getRHS());
    if (test->getOpcode() == BO_GT || test->getOpcode() == BO_GE) std::swap(low, high);
    const bool is_least =
        value_of(choice->getTrueExpr()) == low && value_of(choice->getFalseExpr()) == high;
    return is_least ? std::vector{low, high} : std::vector<polynomial>();
}

bool values::is_never_negative(const polynomial& value) const {
    facts only_axioms;
    only_axioms.axioms = &axioms;
    return only_axioms.at_least_zero(value);
}

/// The same format with the same values gives the same number of characters.
atom values::formatted_atom(const CallExpr* call) {
    std::vector<path> depends;
    bool pure = true;
    std::string key = "format";
    for (unsigned i = 2; i < call->getNumArgs(); ++i) {
        collect_paths(call->getArg(i), depends, pure);
        llvm::FoldingSetNodeID profile;
        call->getArg(i)->Profile(profile, context_, true);
        key += std::to_string(profile.ComputeHash()) + ",";
    }
    return pure ? intern(role::opaque, key, std::move(depends)) : result_atom(call);
}

}  // namespace freehold::check
