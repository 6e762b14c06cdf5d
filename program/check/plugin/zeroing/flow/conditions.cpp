// SPDX-License-Identifier: BSL-1.0
// What conditions imply for values.
#include "check/plugin/syntax/syntax.hpp"
#include "flow.hpp"

#include <algorithm>
#include <utility>

namespace freehold::check {

using namespace clang;

namespace {

/// True if an atom occurs on both sides, and not in their difference.
bool have_common_atom(const polynomial& left, const polynomial& right,
                      const polynomial& difference) {
    const auto atoms = left.atoms();
    return std::any_of(atoms.begin(), atoms.end(), [&](atom each) {
        return right.contains(each) && !difference.contains(each);
    });
}

}  // namespace

/// True if the number contains the signed result of a call that may be negative. An unsigned
/// comparison takes it for a large one: `static_cast<std::size_t>(read(...)) >= size`.
bool flow::may_be_error(const polynomial& number, const facts& now) const {
    const polynomial exact = now.normal(number);
    const auto atoms = exact.atoms();
    return std::any_of(atoms.begin(), atoms.end(), [&](atom each) {
        return values_.is_of_signed_call(each) && exact.linear_coefficient(each) > 0 &&
               !now.is_tested_at_least_zero(each);
    });
}

flow::states flow::assume(const Expr* condition, bool truth, const facts& before) {
    const evaluation here(values_, &before);
    condition = strip(condition);
    const auto is_bool_cast = [](CastKind kind) {
        return kind == CK_IntegralToBoolean || kind == CK_PointerToBoolean || kind == CK_NoOp ||
               kind == CK_UserDefinedConversion || kind == CK_LValueToRValue;
    };
    while (const auto* cast = dyn_cast<CastExpr>(condition)) {
        if (!is_bool_cast(cast->getCastKind()) || cast->getCastKind() == CK_LValueToRValue) break;
        condition = strip(cast->getSubExpr());
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(condition))
        if (unary->getOpcode() == UO_LNot) return assume(unary->getSubExpr(), !truth, before);
    if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(condition))
        return literal->getValue() == truth ? states{before} : states{};
    if (const auto* choice = dyn_cast<BinaryOperator>(condition)) {
        if (choice->isLogicalOp()) {
            // Either both operands must hold, or only one of them.
            const bool both = (choice->getOpcode() == BO_LAnd) == truth;
            states result;
            for (facts& left : assume(choice->getLHS(), truth, before)) {
                if (!both) {
                    add_state(result, std::move(left));
                    continue;
                }
                for (facts& right : assume(choice->getRHS(), truth, left))
                    add_state(result, std::move(right));
            }
            if (!both)
                for (facts& left : assume(choice->getLHS(), !truth, before))
                    for (facts& right : assume(choice->getRHS(), truth, left))
                        add_state(result, std::move(right));
            return result;
        }
    }
    BinaryOperatorKind operation = BO_NE;
    const Expr* left = condition;
    const Expr* right = nullptr;
    if (const auto* binary = dyn_cast<BinaryOperator>(condition)) {
        if (binary->isComparisonOp() && binary->getOpcode() != BO_Cmp) {
            operation = binary->getOpcode();
            left = binary->getLHS();
            right = binary->getRHS();
        }
    }
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(condition)) {
        const auto overloaded = call->getOperator();
        if (overloaded == OO_Exclaim && call->getNumArgs() == 1)
            return assume(call->getArg(0), !truth, before);
        const std::pair<OverloadedOperatorKind, BinaryOperatorKind> known[] = {
            {OO_EqualEqual, BO_EQ}, {OO_ExclaimEqual, BO_NE}, {OO_Less, BO_LT},
            {OO_Greater, BO_GT},    {OO_LessEqual, BO_LE},    {OO_GreaterEqual, BO_GE}};
        for (const auto& [from, to] : known) {
            if (overloaded != from || call->getNumArgs() != 2) continue;
            operation = to;
            left = call->getArg(0);
            right = call->getArg(1);
        }
    }
    // `x < 0` and `x >= 0` are both false for a NaN, and a user's operators may be anything.
    const auto is_ordered = [&](const Expr* operand) {
        const QualType type = operand->getType();
        const auto* record = type->getAsCXXRecordDecl();
        return !type->isFloatingType() &&
               (record == nullptr || is_in_system_header(record, values_.context()));
    };
    if (right != nullptr && !(is_ordered(left) && is_ordered(right))) return {before};
    const auto* method = dyn_cast<CXXMemberCallExpr>(condition);
    facts now = before;
    if (method != nullptr && method->getMethodDecl() != nullptr &&
        is_stream(method->getImplicitObjectArgument()->getType())) {
        const llvm::StringRef name = name_of(method->getMethodDecl());
        const bool conversion = isa<CXXConversionDecl>(method->getMethodDecl());
        const bool negated =
            name == "fail" || method->getMethodDecl()->getOverloadedOperator() == OO_Exclaim;
        if (conversion || negated || name == "good" || is_stream(method->getType())) {
            if (const auto stream = values_.stream_of(condition == method && !conversion &&
                                                              !negated && name != "good"
                                                          ? condition
                                                          : method->getImplicitObjectArgument())) {
                const bool good = truth != negated;
                if (!now.assume(polynomial::of(values_.stream_atom(*stream)),
                                good ? relation::unequal : relation::equal))
                    return {};
            }
            return {now};
        }
    } else if (is_stream(condition->getType())) {
        if (const auto stream = values_.stream_of(condition))
            if (!now.assume(polynomial::of(values_.stream_atom(*stream)),
                            truth ? relation::unequal : relation::equal))
                return {};
        return {now};
    }
    if (method != nullptr && name_of(method->getMethodDecl()) == "empty")
        if (const auto count = values_.count_of(method->getImplicitObjectArgument())) {
            const bool possible = truth ? now.assume(*count, relation::equal)
                                        : now.assume(*count - polynomial(1), relation::at_least);
            return possible ? states{now} : states{};
        }
    // The pointer may have been null in another state.
    const auto may_be_null = [&](const Expr* pointer) {
        if (pointer == nullptr || !pointer->getType()->isPointerType()) return false;
        const auto where = values_.place_of(pointer);
        return where && where->how == form::address;
    };
    const auto is_null = [&](const Expr* pointer) {
        return pointer == nullptr ||
               pointer->isNullPointerConstant(
                   values_.context(), Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
    };
    if ((may_be_null(left) && is_null(right)) || (may_be_null(right) && is_null(left)))
        return {before};
    polynomial difference = values_.value_of(left);
    if (right != nullptr) difference -= values_.value_of(right);
    if (!truth) operation = BinaryOperator::negateComparisonOp(operation);
    const polynomial opposite = polynomial() - difference;
    // If the pointer itself is null, there is no object.
    const auto is_root = [&](const Expr* pointer) {
        if (pointer == nullptr || !pointer->getType()->isPointerType()) return false;
        const auto named = values_.path_of(pointer);
        return named && *named == what_.object.root;
    };
    const bool compares_root =
        what_.object.kind == object_kind::pointer &&
        ((is_root(left) && is_null(right)) || (is_root(right) && is_null(left)));
    const bool is_order =
        operation == BO_GE || operation == BO_GT || operation == BO_LE || operation == BO_LT;
    const bool is_unsigned = right != nullptr && left->getType()->isUnsignedIntegerType() &&
                             right->getType()->isUnsignedIntegerType();
    if (is_order && is_unsigned) {
        const bool rises = operation == BO_GE || operation == BO_GT;
        if (may_be_error(rises ? difference : opposite, now)) return {before};
        // The -1 that a followed function returned is a number. It is larger than each size.
        const bool left_is_error = now.is_negative(values_.value_of(left));
        if (left_is_error != now.is_negative(values_.value_of(right)))
            return rises == left_is_error ? states{before} : states{};
    }
    bool possible = true;
    switch (operation) {
        case BO_EQ:
            possible = now.assume(difference, relation::equal);
            if (compares_root) now.end();
            break;
        case BO_NE:
            possible = now.assume(difference, relation::unequal);
            break;
        case BO_GE:
            possible = now.assume(difference, relation::at_least, within_loop_);
            break;
        case BO_GT:
            possible = now.assume(difference, relation::above, within_loop_);
            break;
        case BO_LE:
            possible = now.assume(opposite, relation::at_least, within_loop_);
            break;
        case BO_LT:
            possible = now.assume(opposite, relation::above, within_loop_);
            break;
        default:
            break;
    }
    // `rest = count - skip; if (rest > count)` asks whether the difference has wrapped. It has not
    // if both are equal.
    const polynomial known = before.normal(difference);
    if (!possible && is_order && is_unsigned && !difference.constant() &&
        !(known == polynomial()) &&
        have_common_atom(before.normal(values_.value_of(left)),
                         before.normal(values_.value_of(right)), known))
        return {before};
    return possible ? states{now} : states{};
}

}  // namespace freehold::check
