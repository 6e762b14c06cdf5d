// SPDX-License-Identifier: BSL-1.0
// The effects on the object of statements other than calls.
#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/padding.hpp"
#include "flow.hpp"

namespace freehold::check {

using namespace clang;

bool flow::is_returned(const Expr* expression, const function_uses& uses) const {
    const Stmt* each = expression;
    while (each != nullptr) {
        if (isa<ReturnStmt>(each)) return true;
        const auto* construct = dyn_cast<CXXConstructExpr>(each);
        const bool passes =
            each == expression || isa<CastExpr>(each) || isa<FullExpr>(each) ||
            isa<ParenExpr>(each) || isa<CXXBindTemporaryExpr>(each) ||
            isa<MaterializeTemporaryExpr>(each) ||
            (construct != nullptr && construct->getNumArgs() >= 1) ||
            (isa<CallExpr>(each) && name_of_callee(cast<CallExpr>(each)) == "std::move");
        if (!passes) return false;
        const auto found = uses.parents.find(each);
        if (found == uses.parents.end()) return false;
        each = found->second;
    }
    return false;
}

/// True for an operand of `a, b` with a value that is not used.
bool flow::is_discarded(const BinaryOperator* comma, const Expr* operand,
                        const function_uses& uses) {
    while (comma != nullptr && comma->getOpcode() == BO_Comma) {
        if (strip(comma->getLHS()) == strip(operand)) return true;
        const auto above = uses.parents.find(comma);
        if (above == uses.parents.end() || !isa_and_nonnull<Expr>(above->second)) return true;
        operand = comma;
        comma = dyn_cast<BinaryOperator>(above->second);
    }
    return false;
}

/// True for a pointer to bytes or numbers, made of a pointer to what has padding.
bool flow::shows_padding(const CastExpr& conversion) const {
    const QualType from = conversion.getSubExpr()->getType();
    const QualType to = conversion.getType();
    return conversion.getCastKind() == CK_BitCast && from->isPointerType() && to->isPointerType() &&
           !to->getPointeeType()->isRecordType() &&
           (from->getPointeeType()->isRecordType() ||
            has_padded_numbers(from->getPointeeType(), values_.context()));
}

/// True for bytes that are read through a pointer converted from a pointer to an object: by the
/// pointer itself, an iterator, or a view of them.
bool flow::is_raw(const Expr* expression) const {
    for (;;) {
        expression = strip(expression);
        if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
            const auto* variable = dyn_cast<VarDecl>(name->getDecl());
            return variable != nullptr && raw_.count(variable->getCanonicalDecl()) != 0;
        }
        const auto* cast = dyn_cast<CastExpr>(expression);
        if (cast != nullptr && shows_padding(*cast)) return true;
        if (cast != nullptr)
            expression = cast->getSubExpr();
        else if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression))
            expression = element->getBase();
        else if (const auto* unary = dyn_cast<UnaryOperator>(expression))
            expression = unary->getSubExpr();
        else if (const auto* binary = dyn_cast<BinaryOperator>(expression))
            expression = binary->getLHS();
        else if (const auto* member = dyn_cast<CXXMemberCallExpr>(expression))
            expression = member->getImplicitObjectArgument();
        else if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression))
            expression = operation->getArg(0);
        else if (const auto* view = dyn_cast<CXXConstructExpr>(expression);
                 view != nullptr && view->getNumArgs() != 0)
            expression = view->getArg(0);
        else
            return false;
    }
}

void flow::note_raw(const VarDecl* variable, const Expr* pointer) {
    const QualType type = variable->getType();
    const bool may_refer = type->isReferenceType() || type->isRecordType() ||
                           (type->isPointerType() && !type->getPointeeType()->isRecordType());
    if (may_refer && is_raw(pointer)) raw_.insert(variable->getCanonicalDecl());
}

void flow::note_running_index(const Expr* target) {
    target = strip(target);
    const Expr* index = nullptr;
    const auto* call = dyn_cast<CXXOperatorCallExpr>(target);
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(target))
        index = element->getIdx();
    else if (call != nullptr && call->getOperator() == OO_Subscript)
        index = call->getArg(1);
    else if (const auto* unary = dyn_cast<UnaryOperator>(target);
             unary != nullptr && unary->getOpcode() == UO_Deref)
        index = unary->getSubExpr();
    const auto* step = index != nullptr ? dyn_cast<UnaryOperator>(strip_casts(index)) : nullptr;
    if (step == nullptr || !step->isIncrementDecrementOp()) return;
    if (const auto variable = values_.path_of(step->getSubExpr()))
        running_indices_.insert(values_.value_atom(*variable));
}

void flow::use(const Stmt* statement, const Expr* expression, const place& where,
               const function_uses& uses, facts& now) {
    const byte_range range = extent_of(where);
    if (const auto* cast = dyn_cast<CastExpr>(statement)) {
        switch (cast->getCastKind()) {
            case CK_ToVoid:
            case CK_PointerToBoolean:
                return;
            case CK_LValueToRValue:
                read(now, range, statement, has_padding(now) && is_raw(expression));
                return;
            default:
                if (cast->getType()->isBooleanType()) return;
                read_all(now, statement);
                return;
        }
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (binary->isComparisonOp() || binary->isLogicalOp() || binary->getOpcode() == BO_Sub ||
            is_discarded(binary, expression, uses))
            return;
        if (binary->isAssignmentOp()) {
            const bool is_target = strip(binary->getLHS()) == strip(expression);
            if (is_target && where.how == form::object) {
                note_running_index(binary->getLHS());
                if (binary->isCompoundAssignmentOp()) read(now, range, statement);
                // A write of anything but 0 may overwrite a string's terminator.
                if (!string_sizes_.empty() && values_.value_of(binary->getRHS()).constant() != 0)
                    for (const atom each : string_sizes_) forget(now, each);
                write(now, range, statement, true);
            } else if (is_target && where.how == form::handle && statement != what_.start) {
                now.end();
            } else if (!is_target && !values_.place_of(binary->getLHS())) {
                if (where.how == form::object)
                    read(now, range, statement);
                else
                    read_all(now, statement);
            }
            return;
        }
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(statement)) {
        if (unary->getOpcode() == UO_LNot) return;
        if (unary->isIncrementDecrementOp()) {
            if (where.how == form::object) {
                read(now, range, statement);
                write(now, range, statement, false);
            }
            return;
        }
    }
    if (storing_.count(statement) != 0 && where.how != form::object) return;
    if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
        for (const Decl* each : declarations->decls()) {
            const auto* variable = dyn_cast<VarDecl>(each);
            if (variable != nullptr &&
                (values_.aliases.count(variable) != 0 || values_.bound.count(variable) != 0))
                return;
        }
        if (where.how == form::object)
            read(now, range, statement);
        else
            read_all(now, statement);
        return;
    }
    if (isa<CXXDeleteExpr>(statement)) {
        now.end();
        return;
    }
    if (isa<MemberExpr>(statement)) return;
    // The pointer that a followed function returns is used where the function is called.
    if (isa<ReturnStmt>(statement) && values_.frames.size() > 1 && where.how == form::address &&
        cast<ReturnStmt>(statement)->getRetValue()->getType()->isPointerType() &&
        returns_parameter_)
        return;
    if (isa<ReturnStmt>(statement) || is_returned(expression, uses)) {
        const bool untouched = now.covered.size() <= what_.extent.initialised.size();
        if (values_.frames.size() == 1 && where.how != form::object && what_.is_local &&
            untouched && !now.is_all_covered()) {
            verdict_.returned = true;
            now.end();
            return;
        }
    }
    if (where.how == form::object)
        read(now, range, statement);
    else
        read_all(now, statement);
}

}  // namespace freehold::check
