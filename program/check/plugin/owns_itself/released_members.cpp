// SPDX-License-Identifier: BSL-1.0
// Finds the members that the code empties somewhere, and may empty elsewhere.
#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "owning_handles.hpp"
#include "owns_itself_check.hpp"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>

namespace freehold::check {
namespace {

using namespace clang;

/// The member of the template for a member of its instantiation.
const FieldDecl* as_written(const FieldDecl* field) {
    const auto* record = dyn_cast<CXXRecordDecl>(field->getParent());
    const auto* pattern = record != nullptr ? record->getTemplateInstantiationPattern() : nullptr;
    if (pattern != nullptr)
        for (const FieldDecl* each : pattern->fields())
            if (each->getFieldIndex() == field->getFieldIndex()) return each;
    return field;
}

/// True for `nullptr`, `{}`, `T()`, and a lambda that does nothing.
bool is_empty_value(const Expr* value) {
    if (const auto* standard = dyn_cast<CXXDefaultArgExpr>(value)) value = standard->getExpr();
    value = strip_casts(value);
    if (const auto* list = dyn_cast<InitListExpr>(value)) return list->getNumInits() == 0;
    if (const auto* lambda = dyn_cast<LambdaExpr>(value))
        return lambda->capture_size() == 0 && lambda->getBody()->children().empty();
    if (const auto* construct = dyn_cast<CXXConstructExpr>(value))
        return construct->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(construct->getArg(0)) ||
               is_empty_value(construct->getArg(0));
    return isa<CXXNullPtrLiteralExpr, GNUNullExpr, CXXScalarValueInitExpr>(value);
}

/// True if the function takes whatever it gets, as `T&&`.
bool forwards(const FunctionDecl* callee, unsigned index) {
    const FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
    if (pattern == nullptr) return false;
    index = std::min(index, pattern->getNumParams() - 1);
    QualType type = pattern->getParamDecl(index)->getType();
    if (const auto* pack = type->getAs<PackExpansionType>()) type = pack->getPattern();
    return type->isRValueReferenceType() && type->getPointeeType()->isTemplateTypeParmType();
}

}  // namespace

void owns_itself_check::add_changed_variables(const Stmt* part) {
    if (part == nullptr) return;
    const Expr* changed = nullptr;
    const auto* expression = dyn_cast<Expr>(part);
    if (expression != nullptr && is_assignment(expression)) changed = side_of(expression, 0);
    if (const auto* unary = dyn_cast<UnaryOperator>(part))
        if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
            changed = unary->getSubExpr();
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(part))
        if (call->getMethodDecl() != nullptr && !call->getMethodDecl()->isConst())
            changed = receiver_of(call);
    if (changed != nullptr)
        if (const auto* name = dyn_cast<DeclRefExpr>(strip(changed)))
            if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
                changed_.insert(variable->getCanonicalDecl());
    for (const Stmt* each : part->children()) add_changed_variables(each);
}

void owns_itself_check::release(const object& changed) {
    const bool is_own = changed.root == nullptr && changed.members.size() == 1;
    // A constructor has nothing to release, and a ring keeps the destructor from running.
    if (is_own && isa<CXXConstructorDecl, CXXDestructorDecl>(current_)) return;
    if (!changed.members.empty()) released_.insert(as_written(changed.members.back()));
}

void owns_itself_check::release(const Expr* changed) {
    if (changed == nullptr) return;
    const auto of = object_of(changed, precision::container);
    if (!of) return;
    release(*of);
    if (of->members.empty() && of->root != nullptr &&
        owning_handle_of(changed->getType()) == nullptr)
        released_.insert(of->root);
}

void owns_itself_check::release_by_assignment(const Expr* target, const Expr* value) {
    if (is_empty_value(value)) return release(target);
    if (value->isTypeDependent() || leads_to_one_object(target->getType())) return;
    store assigned{{}, false, true, nullptr, {}};
    add_owners(value, assigned.owners);
    if (const auto of = target_of(target)) assigned.target = *of;
    const bool is_given = llvm::any_of(assigned.owners, [](const owner& each) {
        return each.callable == nullptr && isa_and_nonnull<ParmVarDecl>(each.of.root);
    });
    if (!is_given && own_owner(assigned) == nullptr) release(target);
}

void owns_itself_check::add_releases_of_call(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {  // In a template that is not instantiated.
        const Expr* named = call->getCallee()->IgnoreImpCasts();
        if (const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(named)) {
            const std::string name = member->getMember().getAsString();
            if (!member->isImplicitAccess() && !is_storing(name) && !is_reading(name))
                release(member->getBase());
        } else if (const auto* lookup = dyn_cast<UnresolvedLookupExpr>(named)) {
            if (is_moving(lookup->getName().getAsString()))
                for (const Expr* each : call->arguments()) release(each);
        }
        return;
    }
    const llvm::StringRef name = name_of(callee);
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (isa<CXXMemberCallExpr>(call) && method != nullptr && !method->isConst() &&
        is_of_library(method) && !is_storing(name) && !is_reading(name))
        release(receiver_of(call));
    const FunctionDecl* definition = visible(callee);
    for (const ParmVarDecl* each : callee->parameters()) {
        const unsigned index = each->getFunctionScopeIndex();
        const Expr* argument = argument_of(call, index);
        const QualType type = each->getType();
        if (argument == nullptr || !type->isReferenceType() ||
            type->getPointeeType().isConstQualified() || is_reading(name))
            continue;
        if (is_moving(name) || (!forwards(callee, index) && !argument->isXValue() &&
                                (has_library_type(argument) || !callee->hasBody())))
            release(argument);
    }
    if (definition == nullptr) return;
    const std::vector<store> all = stores_of(definition);
    for (const store& one : all)
        for (const owner& each : one.owners)
            if (const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
                one.replaces && parameter != nullptr && each.callable == nullptr) {
                const Expr* value = argument_of(call, parameter->getFunctionScopeIndex());
                if (value != nullptr && is_empty_value(value)) release(one.target);
            }
}

void owns_itself_check::add_releases(const Stmt* part) {
    if (part == nullptr) return;
    if (const auto* expression = dyn_cast<Expr>(part);
        expression != nullptr && is_assignment(expression))
        release_by_assignment(side_of(expression, 0), side_of(expression, 1));
    else if (const auto* call = dyn_cast<CallExpr>(part))
        add_releases_of_call(call);
    else if (const auto* unary = dyn_cast<UnaryOperator>(part);
             unary != nullptr && unary->getOpcode() == UO_AddrOf &&
             has_library_type(unary->getSubExpr()))
        release(unary->getSubExpr());
    for (const Stmt* each : part->children()) add_releases(each);
}

/// True if code of this file empties the member, or code of another file may do so.
bool owns_itself_check::may_end(const FieldDecl* member) const {
    if (!keeps_its_objects(member->getType()) ||
        released_.find(as_written(member)) != released_.end())
        return true;
    const auto* record = dyn_cast<CXXRecordDecl>(member->getParent());
    if (record == nullptr || is_of_library(record)) return true;
    return llvm::any_of(record->decls(), [](const Decl* each) {
        const auto* method = dyn_cast<CXXMethodDecl>(each);
        if (const auto* general = dyn_cast<FunctionTemplateDecl>(each))
            method = dyn_cast<CXXMethodDecl>(general->getTemplatedDecl());
        if (method == nullptr || method->isImplicit() || method->isDefaulted() ||
            method->isDeleted() || method->isConst() || is_pure(*method) ||
            isa<CXXConstructorDecl, CXXDestructorDecl>(method))
            return false;
        const FunctionDecl* pattern = method->getTemplateInstantiationPattern();
        return !method->hasBody() && (pattern == nullptr || !pattern->hasBody());
    });
}

}  // namespace freehold::check
