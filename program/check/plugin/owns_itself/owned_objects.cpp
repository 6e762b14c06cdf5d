// SPDX-License-Identifier: BSL-1.0
// Finds the object that an expression of `freehold-owns-itself` leads to.
#include "check/plugin/syntax/syntax.hpp"
#include "owning_handles.hpp"
#include "owns_itself_check.hpp"

#include <array>

#include <clang/AST/ASTContext.h>

namespace freehold::check {
namespace {

using namespace clang;

constexpr int deepest_object = 12;

}  // namespace

bool owns_itself_check::is_of_library(const Decl* declaration) const {
    if (declaration == nullptr || is_in_system_header(declaration, *context_)) return true;
    const std::string name = qualified_name(dyn_cast<NamedDecl>(declaration));
    return llvm::any_of(std::array{"std::", "boost::", "freehold::"},
                        [&](const char* each) { return name.rfind(each, 0) == 0; });
}

bool owns_itself_check::has_library_type(const Expr* expression) const {
    const auto* record = expression->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record != nullptr && is_of_library(record);
}

/// The definition of a function of the project that is certainly the one that is called.
const FunctionDecl* owns_itself_check::visible(const FunctionDecl* callee) const {
    const FunctionDecl* definition = nullptr;
    if (callee == nullptr || !callee->hasBody(definition) || is_of_library(definition))
        return nullptr;
    const auto* method = dyn_cast<CXXMethodDecl>(definition);
    if (method != nullptr && (method->getParent()->isLambda() || may_be_overridden(*method)))
        return nullptr;
    return definition;
}

std::optional<owns_itself_check::object> owns_itself_check::object_of(const Expr* expression,
                                                                      precision how, int depth) {
    if (expression == nullptr || depth > deepest_object) return std::nullopt;
    expression = strip_casts(expression);
    if (isa<CXXThisExpr>(expression)) return object{};
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        return variable != nullptr ? object_of_variable(variable, how, depth + 1) : std::nullopt;
    }
    if (const auto* member = dyn_cast<MemberExpr>(expression)) {
        if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl()))
            return object_of_variable(variable, how, depth + 1);
        const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
        auto result = object_of(member->getBase(), how, depth + 1);
        if (!result || field == nullptr) return std::nullopt;
        if (!is_of_library(field)) result->members.push_back(field);
        return result;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
        const bool leads = unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf;
        return leads ? object_of(unary->getSubExpr(), how, depth + 1) : std::nullopt;
    }
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression))
        return how == precision::container ? object_of(element->getBase(), how, depth + 1)
                                           : std::nullopt;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        const auto arguments = written_arguments(construct);
        const bool is_copy = arguments.size() == 1 || owning_handle_of(construct->getType());
        return is_copy && !arguments.empty() && has_library_type(construct) &&
                       has_library_type(arguments[0])
                   ? object_of(arguments[0], how, depth + 1)
                   : std::nullopt;
    }
    const auto* call = dyn_cast<CallExpr>(expression);
    return call != nullptr ? object_of_call(call, how, depth) : std::nullopt;
}

/// True for a handle or a pointer that the code changes.
bool owns_itself_check::may_lead_elsewhere(const VarDecl* variable) const {
    return variable != nullptr && changed_.find(variable) != changed_.end() &&
           (variable->getType()->isPointerType() || owning_handle_of(variable->getType()));
}

std::optional<owns_itself_check::object> owns_itself_check::object_of_variable(
    const VarDecl* variable, precision how, int depth) {
    variable = variable->getCanonicalDecl();
    const QualType type = variable->getType();
    const bool leads = type->isReferenceType() || type->isPointerType() ||
                       owning_handle_of(type) != nullptr || is_iterator(type);
    if (leads && !isa<ParmVarDecl>(variable) && variable->isLocalVarDecl() &&
        variable->getInit() != nullptr &&
        (type->isReferenceType() || is_iterator(type) || changed_.find(variable) == changed_.end()))
        if (auto result = object_of(variable->getInit(), how, depth);
            result && (type->isReferenceType() || !may_lead_elsewhere(result->root)))
            return result;
    return object{variable, {}};
}

std::optional<owns_itself_check::object> owns_itself_check::object_of_call(const CallExpr* call,
                                                                           precision how,
                                                                           int depth) {
    const FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = name_of(callee);
    const Expr* receiver = receiver_of(call);
    if (name == "shared_from_this") return object_of(receiver, how, depth + 1);
    if (receiver == nullptr && call->getNumArgs() != 0 &&
        (is_passed_through(call) || is_casting(name)))
        return object_of(call->getArg(0), how, depth + 1);
    if (receiver != nullptr && is_of_library(callee)) {
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
        const bool leads = operation != nullptr && (operation->getOperator() == OO_Star ||
                                                    operation->getOperator() == OO_Arrow);
        const bool is_one = leads_to_one_object(receiver->IgnoreImpCasts()->getType()) &&
                            (leads || name == "get" || name == "value");
        const bool is_element = operation != nullptr
                                    ? leads || operation->getOperator() == OO_Subscript
                                    : is_element_access(name);
        return is_one || (is_element && how == precision::container)
                   ? object_of(receiver, how, depth + 1)
                   : std::nullopt;
    }
    const FunctionDecl* definition = visible(callee);
    if (definition == nullptr) return std::nullopt;
    const QualType returned = definition->getReturnType();
    const auto* body = dyn_cast<CompoundStmt>(definition->getBody());
    if (body == nullptr || body->size() != 1 ||
        !(returned->isReferenceType() || returned->isPointerType() || owning_handle_of(returned)))
        return std::nullopt;
    const auto* last = dyn_cast<ReturnStmt>(body->body_back());
    const auto inner =
        last != nullptr ? object_of(last->getRetValue(), how, depth + 1) : std::nullopt;
    return inner ? in_caller(*inner, call, how, depth + 1) : std::nullopt;
}

std::optional<owns_itself_check::object> owns_itself_check::in_caller(const object& inner,
                                                                      const Expr* call,
                                                                      precision how, int depth) {
    if (inner.root != nullptr && !inner.root->hasLocalStorage()) return inner;
    const auto* parameter = dyn_cast_or_null<ParmVarDecl>(inner.root);
    if (inner.root != nullptr && parameter == nullptr) return std::nullopt;
    const Expr* from = parameter != nullptr ? argument_of(call, parameter->getFunctionScopeIndex())
                                            : receiver_of(call);
    auto result = object_of(from, how, depth + 1);
    if (result)
        result->members.insert(result->members.end(), inner.members.begin(), inner.members.end());
    return result;
}

/// The object that keeps what is assigned. An element stands for its container.
std::optional<owns_itself_check::object> owns_itself_check::target_of(const Expr* expression) {
    for (;;) {
        expression = strip_casts(expression);
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression);
        const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
        const bool is_element =
            operation != nullptr
                ? operation->getOperator() == OO_Subscript
                : call != nullptr && is_element_access(name_of(call->getDirectCallee())) &&
                      !leads_to_one_object(receiver_of(call)->IgnoreImpCasts()->getType());
        if (!is_element || receiver_of(expression) == nullptr ||
            !has_library_type(receiver_of(expression)))
            return object_of(expression, precision::exact);
        expression = receiver_of(expression);
    }
}

}  // namespace freehold::check
