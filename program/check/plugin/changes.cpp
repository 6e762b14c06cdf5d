// SPDX-License-Identifier: BSL-1.0
// What statements and conditions tell of values.
#include "flow.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

void flow::effects(const Stmt* statement, facts& now) {
    if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
        for (const Decl* each : declarations->decls())
            if (const auto* variable = dyn_cast<VarDecl>(each))
                effects_of_declaration(variable, now);
        return;
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (!binary->isAssignmentOp()) return;
        const auto target = values_.path_of(binary->getLHS());
        if (!target) return;
        const atom name = values_.value_atom(*target);
        const polynomial right = values_.value_of(binary->getRHS());
        const QualType type = binary->getLHS()->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        switch (binary->getOpcode()) {
            case BO_Assign:
                if (values_.pointers.count(*target) == 0)
                    assign(now, name, right);
                else if (const auto where = values_.place_of(binary->getRHS()))
                    assign(now, name, where->offset);
                else
                    forget(now, name);
                break;
            case BO_AddAssign:
                assign(now, name, polynomial::of(name) + step * right);
                break;
            case BO_SubAssign:
                assign(now, name, polynomial::of(name) - step * right);
                break;
            default:
                forget(now, name);
        }
        forget_dependents(now, *target);
        return;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(statement)) {
        if (!unary->isIncrementDecrementOp()) return;
        const auto target = values_.path_of(unary->getSubExpr());
        if (!target) return;
        const QualType type = unary->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        const atom name = values_.value_atom(*target);
        assign(now, name,
               unary->isIncrementOp() ? polynomial::of(name) + step : polynomial::of(name) - step);
        forget_dependents(now, *target);
        return;
    }
    if (const auto* choice = dyn_cast<ConditionalOperator>(statement)) {
        if (!choice->getType()->isIntegralOrEnumerationType()) return;
        // The path tells, if both values have not been merged, which one it is.
        const polynomial value = values_.value_of(choice);
        if (value.atoms().size() != 1 || !(value == polynomial::of(value.atoms()[0]))) return;
        const bool may_be_true = !assume(choice->getCond(), true, now).empty();
        const bool may_be_false = !assume(choice->getCond(), false, now).empty();
        if (may_be_true != may_be_false)
            assign(now, value.atoms()[0],
                   values_.value_of(may_be_true ? choice->getTrueExpr() : choice->getFalseExpr()));
        return;
    }
    if (isa<CallExpr>(statement) || isa<CXXConstructExpr>(statement))
        effects_of_call(parts_of(cast<Expr>(statement)), now);
}

void flow::effects_of_declaration(const VarDecl* variable, facts& now) {
    if (!variable->hasLocalStorage()) return;
    const path name{variable->getCanonicalDecl(), {}};
    const Expr* initial = variable->getInit();
    const auto alias = values_.aliases.find(variable);
    if (alias == values_.aliases.end() && values_.bound.count(variable) != 0) return;
    declared_[block_].insert(values_.value_atom(name));
    // Its constructor has been followed.
    if (what_.creation != nullptr && what_.whole == name) return;
    forget_all(now, name, true);
    if (initial == nullptr) return;
    if (alias != values_.aliases.end()) {
        if (const auto where = values_.place_of(initial)) {
            assign(now, values_.value_atom(name), where->offset);
            if (where->how == form::view && where->size)
                if (const auto count = where->size->divided(values_.size_of(where->type)))
                    assign(now, values_.size_atom(name), *count);
        }
        return;
    }
    if (holds_pointer(name)) {
        assign_parts(name, initial, now);
        return;
    }
    const QualType type = variable->getType();
    const auto* record = type->getAsCXXRecordDecl();
    const auto* construct = dyn_cast<CXXConstructExpr>(strip(initial)->IgnoreImplicit());
    if (record != nullptr && record->isInStdNamespace() && construct != nullptr) {
        const llvm::StringRef kind = name_of(record);
        if (kind != "vector" && kind != "basic_string") return;
        std::vector<const Expr*> arguments;
        for (const Expr* each : construct->arguments())
            if (!isa<CXXDefaultArgExpr>(each)) arguments.push_back(each);
        const atom size = values_.size_atom(name);
        if (arguments.empty())
            assign(now, size, 0);
        else if (construct->getConstructor()->isCopyOrMoveConstructor()) {
            if (const auto from = values_.path_of(arguments[0]))
                assign(now, size, polynomial::of(values_.size_atom(*from)));
        } else if (arguments[0]->getType()->isIntegerType())
            assign(now, size, values_.value_of(arguments[0]));
        return;
    }
    if (record == nullptr || !isa<InitListExpr>(strip(initial)))
        if (!type->isArrayType() && !(record != nullptr && record->isAggregate()))
            assign(now, values_.value_atom(name), values_.value_of(initial));
}

/// The values of the parts of a variable that holds pointers to the object.
void flow::assign_parts(const path& within, const Expr* initial, facts& now) {
    initial = strip(initial);
    const auto* list = dyn_cast<InitListExpr>(initial);
    if (list == nullptr) {
        if (!initial->getType()->isScalarType()) return;
        const auto where = values_.place_of(initial);
        assign(now, values_.value_atom(within), where ? where->offset : values_.value_of(initial));
        return;
    }
    for (const auto& [part, value] : parts_of_list(within, *list)) assign_parts(part, value, now);
}

/// What begins, ends or resets a decompressor leaves where it writes, and how much room there is.
void flow::forget_all_but_room(facts& now, const Expr* argument) {
    const auto whole = values_.pointee_of(argument);
    if (!whole) return;
    std::set<atom> kept;
    if (const auto* record = class_of(argument->getType()); record && record->hasDefinition())
        for (const FieldDecl* each : record->fields()) {
            path part = *whole;
            part.members.emplace_back(each->getCanonicalDecl());
            if (name_of(each) == "next_out" || name_of(each) == "avail_out")
                kept.insert(values_.value_atom(part));
        }
    for (const atom each : values_.atoms_of(*whole, true))
        if (kept.count(each) == 0) forget(now, each);
}

void flow::effects_of_call(const call_parts& call, facts& now) {
    const bool is_filler = fillers_.count(call.name) != 0;
    if (isa<CXXConstructExpr>(call.expression) && call.arguments.empty()) return;
    // The value of an earlier pass of a loop.
    const auto* callee = call.callee;
    if (const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(callee))
        if (is_view_class(constructor->getParent())) return;
    const FunctionDecl* body = nullptr;
    const bool was_followed = callee != nullptr && callee->hasBody(body) &&
                              collected_.count({body, call.expression}) != 0;
    if (!is_filler && !was_followed) forget(now, values_.result_atom(call.expression));
    if (was_followed) return;
    if (now.live) know_of_string(call, now);
    if (callee != nullptr && isa<CXXOperatorCallExpr>(call.expression)) {
        const auto* operation = cast<CXXOperatorCallExpr>(call.expression);
        const auto target = values_.path_of(operation->getArg(0));
        if (target) {
            const auto where = values_.place_of(operation->getArg(0));
            const std::int64_t step = where && where->how == form::address
                                          ? values_.size_of(where->type)
                                          : step_of(values_, operation->getArg(0)->getType());
            const atom name = values_.value_atom(*target);
            const auto move = [&](const polynomial& by) {
                // An iterator of a list or a map has no number that tells where it is.
                if (step == 0)
                    forget(now, name);
                else
                    assign(now, name, polynomial::of(name) + polynomial(step) * by);
                forget_dependents(now, *target);
            };
            switch (operation->getOperator()) {
                case OO_PlusPlus:
                    move(1);
                    return;
                case OO_MinusMinus:
                    move(-1);
                    return;
                case OO_PlusEqual:
                    if (step != 0) {
                        move(values_.value_of(operation->getArg(1)));
                        return;
                    }
                    forget_all(now, *target, true);
                    return;
                case OO_MinusEqual:
                    move(polynomial() - values_.value_of(operation->getArg(1)));
                    return;
                case OO_Equal: {
                    if (call.expression == what_.start) return;
                    const auto from = values_.place_of(operation->getArg(1));
                    // The new value may be told by the old one.
                    if (from && from->how == form::address) {
                        assign(now, name, from->offset);
                        forget_dependents(now, *target);
                        return;
                    }
                    forget_all(now, *target, true);
                    if (is_stream(operation->getArg(0)->getType()) == false)
                        assign(now, name, values_.value_of(operation->getArg(1)));
                    return;
                }
                default:
                    break;
            }
        }
    }
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (method != nullptr && call.object != nullptr && !method->isConst() && !method->isStatic()) {
        const auto target = values_.object_path(call.object);
        const llvm::StringRef name = name_of(method);
        constexpr std::array<std::string_view, 18> harmless = {
            "data",  "begin",  "end",  "at",      "front", "back", "get",  "read",     "gcount",
            "c_str", "rbegin", "rend", "reserve", "value", "good", "fill", "readsome", "getline"};
        const bool is_operator = method->isOverloadedOperator();
        if (target && call.expression != what_.start && !is_operator &&
            !is_one_of(name, harmless)) {
            const atom size = values_.size_atom(*target);
            const bool is_whole =
                what_.object.kind == object_kind::container && *target == what_.object.root;
            const auto bytes = is_whole ? kept_bytes(call, now) : std::nullopt;
            const auto kept = bytes ? now.normal(*bytes).divided(values_.size_of(what_.object.type))
                                    : std::nullopt;
            if (name == "resize" && !call.arguments.empty())
                assign(now, size, kept ? *kept : values_.value_of(call.arguments[0]));
            else if (name == "push_back" || (name == "emplace_back"))
                assign(now, size, polynomial::of(size) + 1);
            else if (name == "clear")
                assign(now, size, 0);
            else if (name == "pop_back")
                assign(now, size, polynomial::of(size) - 1);
            else if (name == "erase" && kept)
                assign(now, size, *kept);
            else
                forget_all(now, *target, true);
        }
    }
    const auto filling = fillers_.find(call.name);
    const auto room = filling != fillers_.end() && filling->second.how == filled::by_room
                          ? room_of(call, filling->second)
                          : std::nullopt;
    if (room) {
        const polynomial count = polynomial::of(values_.count_atom(call.expression));
        const atom first = room->position ? *room->position : room->next;
        for (const atom each : values_.atoms_of(room->whole, false))
            if (each != room->next && each != room->left && each != first) forget(now, each);
        assign(now, first, polynomial::of(first) + count);
        if (!room->position) assign(now, room->left, polynomial::of(room->left) - count);
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Expr* argument = call.arguments[i];
        if (room && static_cast<int>(i) == filling->second.buffer) continue;
        if (is_filler && filling->second.how == filled::nothing) {
            forget_all_but_room(now, argument);
            continue;
        }
        if (callee == nullptr || i >= callee->getNumParams()) {
            if (const auto* address = dyn_cast<UnaryOperator>(strip(argument->IgnoreImplicit())))
                if (address->getOpcode() == UO_AddrOf)
                    if (const auto target = values_.path_of(address->getSubExpr()))
                        forget_all(now, *target, true);
            continue;
        }
        const QualType type = callee->getParamDecl(static_cast<unsigned>(i))->getType();
        if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified()) {
            // The object's own handle keeps its size unless the function is not known.
            const auto target = values_.path_of(argument);
            const auto where = values_.place_of(argument);
            const auto* variable =
                target && target->members.empty()
                    ? dyn_cast_or_null<VarDecl>(static_cast<const Decl*>(target->root))
                    : nullptr;
            if (where && where->how == form::object && values_.aliases.count(variable) != 0)
                forget_dependents(now, *target);  // The reference goes on naming the same bytes.
            else if (target && !is_stream(argument->getType()))
                forget_all(now, *target, true);
        } else if (type->isPointerType() && !type->getPointeeType().isConstQualified()) {
            const Expr* inner = strip(argument);
            while (const auto* cast = dyn_cast<CastExpr>(inner)) inner = strip(cast->getSubExpr());
            const auto* address = dyn_cast<UnaryOperator>(inner);
            if (address != nullptr && address->getOpcode() == UO_AddrOf) {
                if (const auto target = values_.path_of(address->getSubExpr()))
                    forget_all(now, *target, true);
            } else if (const auto target = values_.path_of(inner)) {
                forget_all(now, *target, false);
            }
        }
    }
    if (filling != fillers_.end() && filling->second.how == filled::by_argument) {
        const auto index = static_cast<std::size_t>(filling->second.count);
        if (index < call.arguments.size()) {
            const Expr* inner = strip(call.arguments[index]);
            while (const auto* cast = dyn_cast<CastExpr>(inner)) inner = strip(cast->getSubExpr());
            const auto* address = dyn_cast<UnaryOperator>(inner);
            if (address != nullptr && address->getOpcode() == UO_AddrOf)
                if (const auto target = values_.path_of(address->getSubExpr()))
                    assign(now, values_.value_atom(*target),
                           polynomial::of(values_.result_atom(call.arguments[index])));
        }
    }
}

flow::states flow::assume(const Expr* condition, bool truth, const facts& before) {
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
            // Both operands hold, or one of them.
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
    // A pointer that may have been null elsewhere.
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
    // Where the pointer itself is null there is no object.
    const auto is_root = [&](const Expr* pointer) {
        if (pointer == nullptr || !pointer->getType()->isPointerType()) return false;
        const auto named = values_.path_of(pointer);
        return named && *named == what_.object.root;
    };
    const bool compares_root =
        what_.object.kind == object_kind::pointer &&
        ((is_root(left) && is_null(right)) || (is_root(right) && is_null(left)));
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
            possible = now.assume(difference, relation::at_least);
            break;
        case BO_GT:
            possible = now.assume(difference, relation::above);
            break;
        case BO_LE:
            possible = now.assume(opposite, relation::at_least);
            break;
        case BO_LT:
            possible = now.assume(opposite, relation::above);
            break;
        default:
            break;
    }
    return possible ? states{now} : states{};
}

}  // namespace freehold::check
