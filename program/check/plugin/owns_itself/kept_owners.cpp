// SPDX-License-Identifier: BSL-1.0
// Finds the owners in what is stored, and the objects that keep it.
#include "check/plugin/syntax/syntax.hpp"
#include "owning_handles.hpp"
#include "owns_itself_check.hpp"

#include <clang/AST/DeclTemplate.h>

namespace freehold::check {
namespace {

using namespace clang;

constexpr int deepest_value = 12;

/// True if the statement takes from the handle what it owns.
bool lets_go(const Stmt* part, const VarDecl* handle) {
    if (part == nullptr) return false;
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(part)) {
        const auto* method = member->getMethodDecl();
        if (method != nullptr && !method->isConst() &&
            variable_named(receiver_of(member)) == handle)
            return true;
    } else if (const auto* expression = dyn_cast<Expr>(part);
               expression != nullptr && is_assignment(expression)) {
        if (variable_named(side_of(expression, 0)) == handle) return true;
    } else if (const auto* call = dyn_cast<CallExpr>(part)) {
        if (is_moving(name_of(call->getDirectCallee())))
            for (const Expr* each : call->arguments())
                if (variable_named(each) == handle) return true;
    }
    return llvm::any_of(part->children(), [&](const Stmt* each) { return lets_go(each, handle); });
}

}  // namespace

void owns_itself_check::add_captured(const LambdaExpr* lambda, std::vector<owner>& to, int depth) {
    for (const LambdaCapture& each : lambda->captures()) {
        if (!is_copy(each)) continue;
        const auto* variable = dyn_cast<VarDecl>(each.getCapturedVar());
        if (variable == nullptr) continue;
        const bool is_new = variable->isInitCapture();
        if (owning_handle_of(variable->getType()) == nullptr) {
            if (is_new)
                add_owners(variable->getInit(), to, depth + 1);
            else
                add_owners_of(variable, to, depth);
            continue;
        }
        const auto of = is_new ? object_of(variable->getInit(), precision::exact)
                               : object_of_variable(variable, precision::exact);
        if (!of || (lambda->isMutable() && lets_go(lambda->getBody(), variable))) continue;
        const SourceLocation begin = each.getLocation();
        to.push_back({*of,
                      variable->getType(),
                      lambda,
                      {begin, is_new ? variable->getInit()->getEndLoc() : begin},
                      variable});
    }
}

/// Adds what the constructor stores of its arguments in the new object.
void owns_itself_check::add_constructed(const Expr* creation, const CXXConstructorDecl* constructor,
                                        std::vector<owner>& to, int depth) {
    const auto arguments = written_arguments(creation);
    const auto* record = constructor->getParent();
    if (!keeps_its_objects(creation->getType()) && is_of_library(record)) return;
    if (is_of_library(record) || constructor->isCopyOrMoveConstructor() ||
        (arguments.size() == 1 && isa<LambdaExpr>(strip_casts(arguments[0])))) {
        for (const Expr* each : arguments) add_owners(each, to, depth + 1);
        return;
    }
    if (visible(constructor) == nullptr) return;
    const std::vector<store> all = stores_of(visible(constructor));
    for (const store& one : all)
        for (const owner& each : one.owners)
            if (const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
                one.target.root == nullptr && parameter != nullptr && each.callable == nullptr)
                add_owners(argument_of(creation, parameter->getFunctionScopeIndex()), to,
                           depth + 1);
}

/// Adds the owners in a variable that is no handle: a parameter, or what has its first value.
void owns_itself_check::add_owners_of(const VarDecl* variable, std::vector<owner>& to, int depth) {
    if (isa<ParmVarDecl>(variable))
        to.push_back({{variable->getCanonicalDecl(), {}}, {}, nullptr, {}, nullptr});
    else if (variable->isLocalVarDecl() && changed_.find(variable) == changed_.end())
        add_owners(variable->getInit(), to, depth + 1);
}

void owns_itself_check::add_owners(const Expr* value, std::vector<owner>& to, int depth) {
    if (value == nullptr || depth > deepest_value || value->isTypeDependent()) return;
    value = strip_casts(value);
    if (const auto* lambda = dyn_cast<LambdaExpr>(value)) return add_captured(lambda, to, depth);
    if (owning_handle_of(value->getType()) != nullptr)
        if (auto of = object_of(value, precision::exact)) {
            to.push_back({*of, value->getType(), nullptr, value->getSourceRange(), nullptr});
            return;
        }
    if (const auto* list = dyn_cast<InitListExpr>(value)) {
        for (const Expr* each : list->inits()) add_owners(each, to, depth + 1);
    } else if (const auto* construct = dyn_cast<CXXConstructExpr>(value)) {
        add_constructed(construct, construct->getConstructor(), to, depth);
    } else if (const auto* creation = dyn_cast<CXXNewExpr>(value)) {
        add_owners(creation->getConstructExpr(), to, depth + 1);
    } else if (const VarDecl* variable = variable_named(value)) {
        add_owners_of(variable, to, depth);
    } else if (const auto* call = dyn_cast<CallExpr>(value)) {
        const llvm::StringRef name = name_of(call->getDirectCallee());
        if (is_passed_through(call)) return add_owners(call->getArg(0), to, depth + 1);
        if (is_binding(name)) {
            const std::size_t before = to.size();
            for (const Expr* each : call->arguments()) add_owners(each, to, depth + 1);
            for (std::size_t i = before; i < to.size(); ++i)
                if (to[i].callable == nullptr && !to[i].handle.isNull()) to[i].callable = call;
        } else if (is_making(name) && !call->getType()->isDependentType()) {
            const auto* made = class_of(first_type_argument(call->getType()));
            if (made == nullptr || is_of_library(made))
                for (const Expr* each : call->arguments()) add_owners(each, to, depth + 1);
            else if (made->hasDefinition())
                for (const CXXConstructorDecl* each : made->ctors())
                    if (each->getNumParams() == call->getNumArgs() &&
                        !each->isCopyOrMoveConstructor())
                        return add_constructed(call, each, to, depth);
        }
    }
}

void owns_itself_check::add_store(const Expr* target, const std::vector<const Expr*>& values,
                                  bool replaces, const Expr* at, std::vector<store>& to) {
    store result{{}, owning_handle_of(target->getType()) != nullptr, replaces, at, {}};
    for (const Expr* each : values) add_owners(each, result.owners);
    if (result.owners.empty()) return;
    const auto keeper = target_of(target);
    if (!keeper) return;
    result.target = *keeper;
    to.push_back(std::move(result));
}

void owns_itself_check::add_stored_by_callee(const CallExpr* call, std::vector<store>& to) {
    const FunctionDecl* definition = visible(call->getDirectCallee());
    if (definition == nullptr) return;
    const std::vector<store> all = stores_of(definition);
    for (const store& inner : all) {
        if (own_owner(inner) != nullptr) continue;
        const auto target = in_caller(inner.target, call, precision::exact);
        if (!target) continue;
        store outer{*target, inner.in_handle, inner.replaces, inner.at, {}};
        for (const owner& each : inner.owners) {
            const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
            if (parameter != nullptr && each.callable == nullptr && each.of.members.empty()) {
                add_owners(argument_of(call, parameter->getFunctionScopeIndex()), outer.owners);
            } else if (const auto of = in_caller(each.of, call, precision::exact)) {
                outer.owners.push_back(each);
                outer.owners.back().of = *of;
                outer.owners.back().is_written_here = false;
            }
        }
        if (!outer.owners.empty()) to.push_back(std::move(outer));
    }
}

const std::vector<owns_itself_check::store>& owns_itself_check::stores_of(
    const FunctionDecl* function) {
    const auto [found, is_new] = stores_.try_emplace(function);
    if (!is_new) return found->second;
    std::vector<store> all;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits()) {
            store one{{nullptr, {}}, true, true, each->getInit(), {}};
            if (each->getMember() != nullptr) one.target.members.push_back(each->getMember());
            add_owners(each->getInit(), one.owners);
            if (!one.owners.empty()) all.push_back(std::move(one));
        }
    add_stores(function->getBody(), all);
    return stores_[function] = std::move(all);
}

void owns_itself_check::add_stores(const Stmt* part, std::vector<store>& to) {
    if (part == nullptr) return;
    for (const Stmt* each : part->children()) add_stores(each, to);
    const auto* expression = dyn_cast<Expr>(part);
    if (expression == nullptr || expression->isTypeDependent()) return;
    if (is_assignment(expression))
        return add_store(side_of(expression, 0), {side_of(expression, 1)}, true, expression, to);
    const auto* call = dyn_cast<CallExpr>(expression);
    if (call == nullptr) return;
    if (isa<CXXMemberCallExpr>(call) && is_of_library(call->getDirectCallee())) {
        if (is_storing(name_of(call->getDirectCallee())))
            add_store(receiver_of(call), written_arguments(call), false, call, to);
        return;
    }
    add_stored_by_callee(call, to);
}

}  // namespace freehold::check
