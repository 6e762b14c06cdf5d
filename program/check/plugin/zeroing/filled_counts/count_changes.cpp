// SPDX-License-Identifier: BSL-1.0
#include "count_changes.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <array>
#include <string>

namespace freehold::check {

using namespace clang;

namespace {

// Casts and parentheses between an index and the assignment to its element.
constexpr std::size_t most_wrappers = 5;

/// True if the object was made by the function that names it.
bool is_new_object(const Expr* object) {
    object = strip_casts(object);
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object))
        if (call->getNumArgs() == 1) object = strip_casts(call->getArg(0));
    if (const auto* unary = dyn_cast<UnaryOperator>(object))
        if (unary->getOpcode() == UO_Deref) object = strip_casts(unary->getSubExpr());
    const auto* name = dyn_cast<DeclRefExpr>(object);
    const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable != nullptr && names_new_object(variable);
}

/// True for a variable's or a member's value.
bool is_number(const Expr* value) {
    value = strip_casts(value);
    const auto* size = dyn_cast<CXXMemberCallExpr>(value);
    return isa<DeclRefExpr>(value) || isa<MemberExpr>(value) ||
           (size != nullptr && size->getNumArgs() == 0 &&
            is_steady(size->getImplicitObjectArgument()) &&
            is_one_of(name_of(size->getMethodDecl()), std::array{"size", "length"}));
}

/// The statement of the block before this one. Null if there is none, or no block.
const Stmt* statement_before(const Stmt* statement, const CompoundStmt* block) {
    const Stmt* before = nullptr;
    if (block != nullptr)
        for (const Stmt* each : block->body()) {
            if (each == statement) break;
            before = each;
        }
    const auto* wrapped = dyn_cast_or_null<ExprWithCleanups>(before);
    return wrapped != nullptr ? wrapped->getSubExpr() : before;
}

}  // namespace

void count_changes::look_at(const InitListExpr& list) {
    const InitListExpr* whole = list.isSemanticForm() ? &list : list.getSemanticForm();
    const auto* record = whole != nullptr ? whole->getType()->getAsCXXRecordDecl() : nullptr;
    if (record == nullptr || record->isUnion()) return;
    unsigned i = record->getNumBases();
    for (const FieldDecl* each : record->fields()) {
        if (each->isBitField() && !each->getDeclName()) continue;
        if (i >= whole->getNumInits()) return;
        if (each->getType()->isIntegerType() && !is_constant_zero(whole->getInit(i), context_))
            into_.set_when_new.insert(each->getCanonicalDecl());
        ++i;
    }
}

void count_changes::look_at(const MemberExpr& member, const FieldDecl* field) {
    const Stmt* user = above_.parent();
    for (std::size_t height = 1; isa_and_nonnull<ParenExpr>(user); ++height)
        user = above_.parent(height + 1);
    if (const auto* conversion = dyn_cast_or_null<ImplicitCastExpr>(user)) {
        if (conversion->getCastKind() == CK_LValueToRValue) return;
        if (conversion->getCastKind() == CK_NoOp && conversion->getType().isConstQualified())
            return;
    }
    if (member.getType().isConstQualified() && !isa_and_nonnull<UnaryOperator>(user)) return;
    if (const auto* assigned = dyn_cast_or_null<BinaryOperator>(user)) {
        if (assigned->getOpcode() == BO_SubAssign && never_wraps(field) &&
            is_positive(assigned->getRHS()))
            return;
        if (assigned->getOpcode() == BO_Assign && is_constant_zero(assigned->getRHS(), context_))
            return;
    }
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(user))
        if (unary->isDecrementOp() && never_wraps(field)) return;
    if (is_new_object(member.getBase())) {
        into_.set_when_new.insert(field);
        return;
    }
    const field_set filled = filled_before(member, user);
    if (filled.empty())
        into_.raised.insert(field);
    else
        narrow(into_.appended, field, filled);
}

bool count_changes::is_positive(const Expr* value) const {
    Expr::EvalResult result;
    return strip_casts(value)->getType()->isUnsignedIntegerType() ||
           (is_constant(value, result, context_) && result.Val.getInt().isStrictlyPositive());
}
bool count_changes::never_wraps(const FieldDecl* count) const {
    return !count->isBitField() && (count->getType()->isSignedIntegerType() ||
                                    context_.getTypeSize(count->getType()) == 64);
}

template <class Predicate>
const FieldDecl* count_changes::buffer_of_element(const Expr* expression, const MemberExpr& count,
                                                  Predicate is_index) const {
    expression = strip(expression);
    const Expr* buffer = nullptr;
    const Expr* index = nullptr;
    const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression)) {
        buffer = element->getBase();
        index = element->getIdx();
    } else if (call != nullptr && call->getOperator() == OO_Subscript) {
        buffer = call->getArg(0);
        index = call->getArg(1);
    }
    return buffer != nullptr && is_index(strip_casts(index)) ? buffer_beside(buffer, count)
                                                             : nullptr;
}

const FieldDecl* count_changes::buffer_beside(const Expr* buffer, const MemberExpr& count) const {
    const auto* member = dyn_cast<MemberExpr>(beginning_of(buffer));
    return member != nullptr && is_steady(count.getBase()) &&
                   is_same(member->getBase(), count.getBase(), context_)
               ? field_of(member)
               : nullptr;
}

std::int64_t count_changes::size_of_element(const FieldDecl* buffer) const {
    return size_in_bytes(element_type_of(buffer), context_);
}

field_set count_changes::filled_before(const MemberExpr& count, const Stmt* user) {
    // Before C++17, the value of an assignment may be computed after its target.
    if (!context_.getLangOpts().CPlusPlus17 || user == nullptr) return {};
    const auto note = [&](const FieldDecl* buffer, const Stmt* where) -> field_set {
        if (buffer == nullptr) return {};
        into_.filled_at.try_emplace(buffer, where->getBeginLoc());
        return {buffer};
    };
    const auto is_count = [&](const Expr* index) { return is_same(index, &count, context_); };
    const auto assigned_element = [&](const Stmt* statement, auto is_index) -> field_set {
        const auto* assigned = dyn_cast_or_null<BinaryOperator>(statement);
        if (assigned == nullptr || assigned->getOpcode() != BO_Assign) return {};
        return note(buffer_of_element(assigned->getLHS(), count, is_index), statement);
    };
    const auto* unary = dyn_cast<UnaryOperator>(user);
    const auto* sum = dyn_cast<BinaryOperator>(user);
    if (unary != nullptr && unary->getOpcode() == UO_PostInc) {
        for (std::size_t height = 2; height <= most_wrappers; ++height) {
            const auto by_raise = [&](const Expr* index) { return index == unary; };
            if (const field_set found = assigned_element(above_.parent(height), by_raise);
                !found.empty())
                return found;
        }
    }
    // A statement of its own, behind the one that writes.
    const Stmt* before = statement_before(user, dyn_cast_or_null<CompoundStmt>(above_.parent(2)));
    if (before == nullptr) return {};
    Expr::EvalResult value;
    const bool adds = sum != nullptr && sum->getOpcode() == BO_AddAssign;
    const bool is_one =
        (unary != nullptr && unary->isIncrementOp()) ||
        (adds && is_constant(sum->getRHS(), value, context_) && value.Val.getInt() == 1);
    if (is_one) return assigned_element(before, is_count);
    const auto* call = dyn_cast<CallExpr>(before);
    return adds && call != nullptr ? note(buffer_copied_to(*call, count, sum->getRHS()), before)
                                   : field_set();
}

const FieldDecl* count_changes::buffer_copied_to(const CallExpr& call, const MemberExpr& count,
                                                 const Expr* number) const {
    const std::string name = name_of_callee(&call);
    const bool counts_elements = name == "std::copy_n";
    if (call.getNumArgs() != 3 || (!counts_elements && without_std(name) != "memcpy"))
        return nullptr;
    const Expr* copied = call.getArg(counts_elements ? 1 : 2);
    const auto* target =
        dyn_cast<BinaryOperator>(strip_casts(call.getArg(counts_elements ? 2 : 0)));
    if (target == nullptr || target->getOpcode() != BO_Add ||
        !is_same(target->getRHS(), &count, context_) || !is_number(copied) ||
        !is_same(copied, number, context_))
        return nullptr;
    const FieldDecl* buffer = buffer_beside(target->getLHS(), count);
    return buffer != nullptr && (counts_elements || size_of_element(buffer) == 1) ? buffer
                                                                                  : nullptr;
}

}  // namespace freehold::check
