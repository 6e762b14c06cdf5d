// SPDX-License-Identifier: BSL-1.0
#include "destructors.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

namespace {

bool is_written(const CXXDestructorDecl* destructor, const ASTContext& context) {
    return destructor != nullptr && destructor->isUserProvided() &&
           !is_in_system_header(destructor, context);
}

bool names(const Expr* expression, const FieldDecl* member) {
    const auto* named = dyn_cast<MemberExpr>(strip_casts(expression));
    return named != nullptr && named->getMemberDecl()->getCanonicalDecl() == member;
}

/// True if the statement frees, tests, empties or assigns the member, and reads no element of it.
bool leaves_elements(const Stmt* part, const FieldDecl* member) {
    if (const auto* deletion = dyn_cast<CXXDeleteExpr>(part))
        return names(deletion->getArgument(), member);
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(part)) {
        constexpr std::array without_elements = {"clear",    "reset", "empty", "size",
                                                 "capacity", "swap",  "get",   "shrink_to_fit"};
        return is_one_of(name_of(call->getMethodDecl()), without_elements) &&
               names(call->getImplicitObjectArgument(), member);
    }
    if (const auto* call = dyn_cast<CallExpr>(part))
        return without_std(name_of_callee(call)) == "free" && call->getNumArgs() == 1 &&
               names(call->getArg(0), member);
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(part))
        return cast->getCastKind() == CK_PointerToBoolean && names(cast, member);
    if (const auto* assignment = dyn_cast<BinaryOperator>(part))
        return (assignment->isAssignmentOp() || assignment->isEqualityOp()) &&
               names(assignment->getLHS(), member) &&
               assignment->getRHS()->isNullPointerConstant(member->getASTContext(),
                                                           Expr::NPC_ValueDependentIsNotNull) !=
                   Expr::NPCK_NotNull;
    return false;
}

// NOLINTNEXTLINE(misc-no-recursion): statements are finite.
bool may_read_elements(const Stmt* part, const FieldDecl* member) {
    if (part == nullptr || leaves_elements(part, member)) return false;
    if (const auto* named = dyn_cast<MemberExpr>(part))
        if (named->getMemberDecl()->getCanonicalDecl() == member) return true;
    // Another function gets the whole object.
    if (const auto* call = dyn_cast<CallExpr>(part)) {
        const auto* method = dyn_cast<CXXMemberCallExpr>(call);
        const auto is_this = [](const Expr* each) { return isa<CXXThisExpr>(strip_casts(each)); };
        if ((method != nullptr && is_this(method->getImplicitObjectArgument())) ||
            std::any_of(call->arg_begin(), call->arg_end(), is_this))
            return true;
    }
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return may_read_elements(each, member); });
}

}  // namespace

bool has_pointers(QualType type) {
    if (type.isNull()) return false;
    if (type->isArrayType())
        return has_pointers(QualType(type->getArrayElementTypeNoTypeQual(), 0));
    if (type->isAnyPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() &&
           std::any_of(record->field_begin(), record->field_end(),
                       [](const FieldDecl* each) { return has_pointers(each->getType()); });
}

bool has_written_destructor(QualType type, const ASTContext& context) {
    if (type.isNull()) return false;
    if (type->isArrayType())
        return has_written_destructor(QualType(type->getArrayElementTypeNoTypeQual(), 0), context);
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor())
        return false;
    const auto is_ended_by_code = [&](const auto& part) {
        return has_written_destructor(part.getType(), context);
    };
    return is_written(record->getDestructor(), context) ||
           std::any_of(record->bases_begin(), record->bases_end(), is_ended_by_code) ||
           std::any_of(record->field_begin(), record->field_end(),
                       [&](const FieldDecl* each) { return is_ended_by_code(*each); });
}

bool is_read_by_destructor(const path& object, QualType elements, const ASTContext& context) {
    return std::any_of(object.members.begin(), object.members.end(), [&](const step& each) {
        const auto* within =
            each.field != nullptr ? dyn_cast<CXXRecordDecl>(each.field->getParent()) : nullptr;
        if (within == nullptr || !within->hasDefinition()) return false;
        const CXXDestructorDecl* destructor = within->getDefinition()->getDestructor();
        if (!is_written(destructor, context)) return false;
        const FunctionDecl* definition = destructor->getDefinition();
        return definition != nullptr && definition->hasBody()
                   ? may_read_elements(definition->getBody(), each.field->getCanonicalDecl())
                   : has_pointers(elements);
    });
}

}  // namespace freehold::check
