// SPDX-License-Identifier: BSL-1.0
#include "steady_objects.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>

#include <llvm/ADT/FoldingSet.h>

namespace freehold::check {

using namespace clang;

const FieldDecl* field_of(const MemberExpr* member) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return field != nullptr ? field->getCanonicalDecl() : nullptr;
}

QualType element_type_of(const FieldDecl* buffer) {
    QualType type = buffer->getType();
    if (type->isPointerType())
        type = type->getPointeeType();
    else if (!type->isArrayType())
        type = first_type_argument(type);
    return type.isNull() || !type->isArrayType()
               ? type
               : QualType(type->getArrayElementTypeNoTypeQual(), 0);
}

const Expr* beginning_of(const Expr* from) {
    for (;;) {
        from = strip_casts(from);
        const auto* construct = dyn_cast<CXXConstructExpr>(from);
        const auto* call = dyn_cast<CXXMemberCallExpr>(from);
        if (construct != nullptr && construct->getNumArgs() == 1)
            from = construct->getArg(0);
        else if (call != nullptr && call->getNumArgs() == 0)
            from = call->getImplicitObjectArgument();
        else
            return from;
    }
}

bool is_steady(const Expr* object) {
    object = strip_casts(object);
    if (isa<CXXThisExpr>(object) || isa<DeclRefExpr>(object) || isa<IntegerLiteral>(object))
        return true;
    if (const auto* member = dyn_cast<MemberExpr>(object)) return is_steady(member->getBase());
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(object))
        return is_steady(element->getBase()) && is_steady(element->getIdx());
    if (const auto* unary = dyn_cast<UnaryOperator>(object))
        return unary->getOpcode() == UO_Deref && is_steady(unary->getSubExpr());
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object)) {
        const OverloadedOperatorKind kind = call->getOperator();
        return (kind == OO_Star || kind == OO_Arrow || kind == OO_Subscript) &&
               std::all_of(call->arg_begin(), call->arg_end(), is_steady);
    }
    constexpr std::array same = {"back", "front", "get", "top", "value"};
    const auto* call = dyn_cast<CXXMemberCallExpr>(object);
    return call != nullptr && call->getNumArgs() == 0 &&
           is_one_of(name_of(call->getMethodDecl()), same) &&
           is_steady(call->getImplicitObjectArgument());
}

bool is_same(const Expr* a, const Expr* b, const ASTContext& context) {
    llvm::FoldingSetNodeID first;
    llvm::FoldingSetNodeID second;
    strip_casts(a)->Profile(first, context, true);
    strip_casts(b)->Profile(second, context, true);
    return first == second;
}

bool is_constant_zero(const Expr* value, const ASTContext& context) {
    if (const auto* in_class = dyn_cast<CXXDefaultInitExpr>(value)) value = in_class->getExpr();
    Expr::EvalResult result;
    return isa<ImplicitValueInitExpr>(value) ||
           (is_constant(value, result, context) && result.Val.getInt() == 0);
}

bool names_new_object(const VarDecl* variable) {
    if (!variable->isLocalVarDecl()) return false;
    const Expr* initial = variable->getInit();
    for (; initial != nullptr;) {
        initial = strip_casts(initial);
        const auto* construct = dyn_cast<CXXConstructExpr>(initial);
        if (construct == nullptr || construct->getNumArgs() != 1) break;
        initial = construct->getArg(0);
    }
    if (const auto* call = dyn_cast_or_null<CallExpr>(initial)) {
        constexpr std::array makers = {"emplace_back",
                                       "make_unique",
                                       "make_shared",
                                       "calloc",
                                       "make_unique_for_overwrite",
                                       "make_shared_for_overwrite"};
        const llvm::StringRef made = name_of(call->getDirectCallee());
        return is_one_of(made, makers);
    }
    if (isa_and_nonnull<CXXNewExpr>(initial)) return true;
    const QualType type = variable->getType();
    return type->isRecordType() &&
           (initial == nullptr || isa<InitListExpr>(initial) ||
            (isa<CXXConstructExpr>(initial) &&
             !cast<CXXConstructExpr>(initial)->getConstructor()->isCopyOrMoveConstructor()));
}

}  // namespace freehold::check
