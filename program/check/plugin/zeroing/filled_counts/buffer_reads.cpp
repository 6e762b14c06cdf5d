// SPDX-License-Identifier: BSL-1.0
#include "buffer_reads.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace freehold::check {

using namespace clang;

namespace {

/// True if the part may change the variable, or lets others do so.
bool may_change(const Stmt* part, const VarDecl* variable) {
    if (part == nullptr) return false;
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(part))
        if (cast->getCastKind() == CK_LValueToRValue && isa<DeclRefExpr>(strip(cast->getSubExpr())))
            return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == variable;
    if (isa<LambdaExpr>(part)) return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return may_change(each, variable); });
}

/// The arguments of a call, with the lists in them.
std::vector<const Expr*> arguments_with_lists(const Stmt* user) {
    std::vector<const Expr*> result;
    if (const auto* call = dyn_cast<CallExpr>(user)) {
        result.assign(call->arg_begin(), call->arg_end());
    } else if (const auto* construct = dyn_cast<CXXConstructExpr>(user)) {
        result.assign(construct->arg_begin(), construct->arg_end());
    } else if (const auto* list = dyn_cast<InitListExpr>(user)) {
        for (unsigned i = 0; i < list->getNumInits(); ++i) result.push_back(list->getInit(i));
    }
    return result;
}

/// True if the algorithm only writes to the argument's range.
bool is_output_of(llvm::StringRef name, const std::vector<const Expr*>& arguments,
                  const Stmt* argument) {
    constexpr std::array to_last = {"copy", "copy_n", "copy_if", "reverse_copy", "move"};
    constexpr std::array to_first = {"fill", "fill_n", "generate", "generate_n", "iota"};
    if (!name.consume_front("std::") || arguments.size() < 2) return false;
    return (is_one_of(name, to_last) && arguments.size() >= 3 && arguments.back() == argument) ||
           (is_one_of(name, to_first) &&
            (arguments[0] == argument || (arguments.size() == 3 && arguments[1] == argument)));
}

}  // namespace

field_set buffer_reads::counts_in(const Expr* value, const Expr* object, int depth) const {
    constexpr int deepest = 3;
    value = strip_casts(value);
    if (depth > deepest || !value->getType()->isIntegerType()) return {};
    if (const auto* member = dyn_cast<MemberExpr>(value)) {
        const FieldDecl* field = field_of(member);
        if (field != nullptr && is_steady(object) && is_same(member->getBase(), object, context_))
            return {field};
    }
    if (const auto* name = dyn_cast<DeclRefExpr>(value)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        if (variable != nullptr && variable->getType().isConstQualified() &&
            variable->getInit() != nullptr)
            return counts_in(variable->getInit(), object, depth + 1);
    }
    if (const auto* call = dyn_cast<CallExpr>(value)) {
        field_set result;
        if (name_of_callee(call) == "std::min" && call->getNumArgs() == 2)
            for (const Expr* each : call->arguments())
                result.merge(counts_in(each, object, depth + 1));
        return result;
    }
    return {};
}

field_set buffer_reads::counts_above(const Expr* condition, const VarDecl* index,
                                     const Expr* object) const {
    condition = strip(condition);
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(condition)) condition = strip_casts(cast);
    const auto* comparison = dyn_cast<BinaryOperator>(condition);
    if (comparison == nullptr) return {};
    if (comparison->getOpcode() == BO_LAnd) {
        field_set result = counts_above(comparison->getLHS(), index, object);
        result.merge(counts_above(comparison->getRHS(), index, object));
        return result;
    }
    const bool is_less = comparison->getOpcode() == BO_LT;
    if (!is_less && comparison->getOpcode() != BO_GT) return {};
    const Expr* low = is_less ? comparison->getLHS() : comparison->getRHS();
    const Expr* high = is_less ? comparison->getRHS() : comparison->getLHS();
    const auto* name = dyn_cast<DeclRefExpr>(strip_casts(low));
    if (name == nullptr || name->getDecl() != index) return {};
    return counts_in(high, object);
}

field_set buffer_reads::counts_over(const Expr* index, const Expr* object) const {
    index = strip_casts(index);
    const auto* unary = dyn_cast<UnaryOperator>(index);
    if (unary != nullptr && unary->getOpcode() == UO_PreDec)
        return counts_in(unary->getSubExpr(), object);
    if (const auto* minus = dyn_cast<BinaryOperator>(index)) {
        Expr::EvalResult value;
        if (minus->getOpcode() == BO_Sub && is_constant(minus->getRHS(), value, context_) &&
            value.Val.getInt().isStrictlyPositive())
            return counts_in(minus->getLHS(), object);
        return {};
    }
    const auto* name = dyn_cast<DeclRefExpr>(index);
    const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (variable == nullptr) return {};
    field_set result;
    for (std::size_t i = 0; i + 1 < above_.all().size(); ++i) {
        const Stmt* within = above_.all()[i + 1];
        if (const auto* loop = dyn_cast<ForStmt>(above_.all()[i])) {
            if (loop->getBody() == within && loop->getCond() != nullptr &&
                !may_change(within, variable))
                result.merge(counts_above(loop->getCond(), variable, object));
        } else if (const auto* choice = dyn_cast<IfStmt>(above_.all()[i])) {
            if (choice->getThen() == within && !may_change(within, variable))
                result.merge(counts_above(choice->getCond(), variable, object));
        } else if (const auto* value = dyn_cast<ConditionalOperator>(above_.all()[i])) {
            if (value->getTrueExpr() == within)
                result.merge(counts_above(value->getCond(), variable, object));
        } else if (const auto* both = dyn_cast<BinaryOperator>(above_.all()[i])) {
            if (both->getOpcode() == BO_LAnd && both->getRHS() == within)
                result.merge(counts_above(both->getLHS(), variable, object));
        }
    }
    return result;
}

field_set buffer_reads::counts_at_end(const Expr* argument, const MemberExpr& buffer) const {
    argument = strip_casts(argument);
    const Expr* from = nullptr;
    const Expr* count = nullptr;
    if (const auto* sum = dyn_cast<BinaryOperator>(argument)) {
        if (sum->getOpcode() != BO_Add) return {};
        from = sum->getLHS();
        count = sum->getRHS();
    } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(argument)) {
        if (call->getOperator() != OO_Plus || call->getNumArgs() != 2) return {};
        from = call->getArg(0);
        count = call->getArg(1);
    }
    if (from == nullptr || !is_same(beginning_of(from), &buffer, context_)) return {};
    return counts_in(count, buffer.getBase());
}

field_set buffer_reads::counts_of_call(const std::vector<const Expr*>& arguments, const Stmt* user,
                                       const MemberExpr& buffer, QualType element) const {
    const auto* call = dyn_cast<CallExpr>(user);
    const std::string name = call != nullptr ? name_of_callee(call) : std::string();
    const std::int64_t size = std::max<std::int64_t>(size_in_bytes(element, context_), 1);
    const auto* array = context_.getAsConstantArrayType(buffer.getType());
    const std::int64_t all =
        array != nullptr ? static_cast<std::int64_t>(array->getSize().getZExtValue()) : 0;
    field_set result;
    for (const Expr* each : arguments) {
        if (is_same(beginning_of(each), &buffer, context_)) continue;
        if (field_set ends = counts_at_end(each, buffer); !ends.empty()) {
            result.merge(ends);
            continue;
        }
        if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) continue;
        if (isa<CXXDefaultArgExpr>(each)) continue;
        Expr::EvalResult value;
        if (is_constant(each, value, context_)) {
            const std::int64_t number = value.Val.getInt().getExtValue();
            const bool is_size = name == "fwrite" || name == "std::fwrite";
            if (number > size || (number > 1 && !is_size) || number == all || number == all * size)
                return {};
            continue;
        }
        const Expr* count = each;
        if (const auto* product = dyn_cast<BinaryOperator>(strip_casts(each))) {
            if (product->getOpcode() != BO_Mul) return {};
            const auto is_element = [&](const Expr* factor) {
                return is_constant(factor, value, context_) &&
                       value.Val.getInt().getExtValue() <= size;
            };
            count = is_element(product->getRHS())   ? product->getLHS()
                    : is_element(product->getLHS()) ? product->getRHS()
                                                    : nullptr;
        }
        field_set counts = count != nullptr ? counts_in(count, buffer.getBase()) : field_set();
        // Another number is a file or a position, if one of the numbers is the count.
        if (counts.empty() && !(call != nullptr && each == arguments.front())) return {};
        result.merge(counts);
    }
    return result;
}

void buffer_reads::look_at(const MemberExpr& member, const FieldDecl* field) {
    const auto* record = field->getType()->getAsCXXRecordDecl();
    const auto* array = context_.getAsArrayType(field->getType());
    const QualType element = array != nullptr ? array->getElementType()
                             : field->getType()->isPointerType()
                                 ? field->getType()->getPointeeType()
                                 : first_type_argument(field->getType());
    const Stmt* below = &member;
    bool has_moved = false;  // The pointer is not the buffer's first byte any more.
    for (std::size_t height = 1;; below = above_.parent(height), ++height) {
        const Stmt* user = above_.parent(height);
        if (user == nullptr) break;
        if (const auto* cast = dyn_cast<CastExpr>(user)) {
            if (cast->getCastKind() == CK_PointerToBoolean || cast->getCastKind() == CK_ToVoid ||
                cast->getType()->isBooleanType())
                return;
            continue;
        }
        if (isa<ParenExpr>(user) || isa<FullExpr>(user) || isa<MaterializeTemporaryExpr>(user) ||
            isa<CXXBindTemporaryExpr>(user) || isa<CXXDeleteExpr>(user)) {
            if (isa<CXXDeleteExpr>(user)) return;
            continue;
        }
        if (const auto* callee = dyn_cast<MemberExpr>(user)) {
            // A member function of the smart pointer or container.
            const llvm::StringRef name = name_of(callee->getMemberDecl());
            constexpr std::array harmless = {"size",     "empty",  "capacity",     "reserve",
                                             "max_size", "length", "shrink_to_fit"};
            constexpr std::array replacing = {"reset", "resize", "clear"};
            constexpr std::array leading = {"data", "get", "begin", "cbegin", "c_str"};
            if (record == nullptr || strip_casts(callee->getBase()) != &member) break;
            if (is_one_of(name, replacing)) into_.replaced.insert(field);
            if (is_one_of(name, harmless) || is_one_of(name, replacing) ||
                isa<CXXConversionDecl>(callee->getMemberDecl()))
                return;
            if (!is_one_of(name, leading)) break;
            ++height;  // Its call.
            continue;
        }
        if (const auto* binary = dyn_cast<BinaryOperator>(user)) {
            if (binary->isAssignmentOp() && binary->getLHS() == below && below == &member) {
                into_.replaced.insert(field);
                return;
            }
            if (binary->isEqualityOp()) return;
            if (binary->getOpcode() != BO_Add || binary->getLHS() != below) break;
            has_moved = true;
            continue;
        }
        const auto* subscript = dyn_cast<ArraySubscriptExpr>(user);
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(user);
        if (operation != nullptr && operation->getNumArgs() == 2 && record != nullptr) {
            if (operation->getOperator() == OO_Equal && operation->getArg(0) == below) {
                into_.replaced.insert(field);
                return;
            }
            if (operation->isComparisonOp() &&
                std::any_of(operation->arg_begin(), operation->arg_end(), [](const Expr* each) {
                    return each->getType()->isNullPtrType() ||
                           isa<CXXNullPtrLiteralExpr>(strip_casts(each));
                }))
                return;
            if (operation->getOperator() == OO_Plus && operation->getArg(0) == below) {
                has_moved = true;
                continue;
            }
        }
        const bool is_element = subscript != nullptr ||
                                (operation != nullptr && operation->getOperator() == OO_Subscript);
        if (is_element) {
            const Stmt* above = above_.parent(height + 1);
            const auto* assigned = dyn_cast_or_null<BinaryOperator>(above);
            if (assigned != nullptr && assigned->getOpcode() == BO_Assign &&
                assigned->getLHS() == user)
                return;
            const auto* read = dyn_cast_or_null<ImplicitCastExpr>(above);
            if (has_moved || read == nullptr || read->getCastKind() != CK_LValueToRValue) break;
            narrow(into_.bounds, field,
                   counts_over(subscript != nullptr ? subscript->getIdx() : operation->getArg(1),
                               member.getBase()));
            return;
        }
        const std::vector<const Expr*> arguments = arguments_with_lists(user);
        if (std::find(arguments.begin(), arguments.end(), below) == arguments.end()) break;
        if (const auto* call = dyn_cast<CallExpr>(user)) {
            const std::string name = name_of_callee(call);
            const auto found = fillers_.find(name);
            const bool fills = found != fillers_.end() && found->second.how != filled::by_room &&
                               found->second.how != filled::by_parts &&
                               found->second.how != filled::by_message &&
                               arguments[std::min(static_cast<std::size_t>(found->second.buffer),
                                                  arguments.size() - 1)] == below;
            if (fills || without_std(name) == "free" || is_output_of(name, arguments, below))
                return;
        } else if (const auto* construct = dyn_cast<CXXConstructExpr>(user)) {
            // A copied iterator.
            if (construct->getNumArgs() == 1 && is_iterator(construct->getType())) continue;
        }
        if (isa<CXXOperatorCallExpr>(user)) break;
        const bool has_beginning =
            !has_moved || std::any_of(arguments.begin(), arguments.end(), [&](const Expr* each) {
                return is_same(beginning_of(each), &member, context_);
            });
        if (!has_beginning) break;
        narrow(into_.bounds, field, counts_of_call(arguments, user, member, element));
        return;
    }
    narrow(into_.bounds, field, {});
}

}  // namespace freehold::check
