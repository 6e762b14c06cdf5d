// SPDX-License-Identifier: BSL-1.0
// The effects of statements on known values.
#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

namespace {

/// The array, pointer or container with an element that is written. Null if it is none.
const Expr* elements_written(const Expr* target) {
    target = strip_casts(target);
    while (const auto* member = dyn_cast<MemberExpr>(target))
        target = strip_casts(member->getBase());
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(target))
        return strip_casts(element->getBase());
    const auto* call = dyn_cast<CXXOperatorCallExpr>(target);
    if (call != nullptr && call->getOperator() == OO_Subscript) return call->getArg(0);
    return nullptr;
}

/// What a function of a library may call because it gets this argument. Null means an unknown
/// function. Empty if it cannot call the argument.
std::optional<const FunctionDecl*> code_in(const Expr* argument, const ASTContext& context) {
    const QualType type = argument->getType().getNonReferenceType();
    if (type->isFunctionPointerType() || type->isFunctionType()) return nullptr;
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr) return std::nullopt;
    if (name_of(record) == "function") return nullptr;
    if (!record->hasDefinition() || is_in_system_header(record, context)) return std::nullopt;
    for (const Decl* each : record->decls()) {
        if (const auto* pattern = dyn_cast<FunctionTemplateDecl>(each))
            each = pattern->getTemplatedDecl();
        const auto* method = dyn_cast<CXXMethodDecl>(each);
        if (method != nullptr && method->getOverloadedOperator() == OO_Call) return method;
    }
    return std::nullopt;
}

}  // namespace

void flow::assign(facts& now, atom which, const polynomial& value) {
    assigned_[block_].insert(which);
    now.assign(which, value, [&] { return values_.fresh_atom(); });
}

void flow::store(facts& now, const Expr* target, atom which, const polynomial& value,
                 QualType computed_as) {
    // A sum with -1, the result of a call that failed, may be less than 0. An unsigned one is large
    // then, and a loop takes it for the end.
    if (now.normal(value).contains(which) && may_be_error(value, now)) {
        forget(now, which);
        return;
    }
    const QualType type = target->getType();
    if (type->isIntegralOrEnumerationType() && computed_as->isIntegralOrEnumerationType() &&
        !type->isBooleanType()) {
        const FieldDecl* bits = target->getSourceBitField();
        const unsigned width = bits != nullptr ? width_of(*bits, values_.context())
                                               : values_.context().getIntWidth(type);
        if (!values_.fits(value, computed_as, width, type->isSignedIntegerOrEnumerationType())) {
            forget(now, which);
            return;
        }
    }
    assign(now, which, value);
}

/// True if the assignment adds the -1 that a followed function returned to an unsigned number.
bool flow::adds_error(const BinaryOperator& assignment, atom target, const facts& now) {
    if (!assignment.getType()->isUnsignedIntegerType()) return false;
    const auto is_error = [&](const Expr* summand) {
        return !summand->isEvaluatable(values_.context()) &&
               now.is_negative(values_.value_of(summand));
    };
    const Expr* right = assignment.getRHS();
    if (assignment.getOpcode() == BO_AddAssign) return is_error(right);
    const auto* sum = dyn_cast<BinaryOperator>(strip(right));
    return assignment.getOpcode() == BO_Assign && sum != nullptr && sum->getOpcode() == BO_Add &&
           values_.value_of(sum).contains(target) &&
           (is_error(sum->getLHS()) || is_error(sum->getRHS()));
}

void flow::forget(facts& now, atom which) {
    assigned_[block_].insert(which);
    now.forget(which, [&] { return values_.fresh_atom(); });
}

void flow::forget_all(facts& now, const path& changed, bool itself) {
    for (const atom each : values_.atoms_of(changed, itself)) forget(now, each);
}

void flow::forget_changed(facts& now, const side_effect& by, const path* target,
                          const polynomial* new_size) {
    const auto has_new_size = [&](atom which, const std::vector<path>& paths) {
        return new_size != nullptr && paths.size() == 1 && values_.size_atom(paths[0]) == which &&
               now.normal(polynomial::of(which)) == now.normal(*new_size);
    };
    const auto is_reachable = [&](const path& each) {
        const VarDecl* variable = variable_of(each);
        if (variable == nullptr) return true;  // It begins with `this`.
        if (variable->getType().isConstQualified() && each.members.empty()) return false;
        // The value of such a reference is the place in the object to which it refers.
        const auto alias = values_.aliases.find(variable);
        if (each.members.empty() && variable->getType()->isReferenceType() &&
            alias != values_.aliases.end() && alias->second == form::object)
            return false;
        return variable->hasGlobalStorage() || variable->getType()->isReferenceType() ||
               escaping_.count(variable->getCanonicalDecl()) != 0 ||
               std::find(each.members.begin(), each.members.end(), step(nullptr)) !=
                   each.members.end();
    };
    const auto is_constant = [](const path& each) {
        return !each.members.empty() && each.members.back().field != nullptr &&
               each.members.back().field->getType().isConstQualified();
    };
    const auto is_returned_value = [](const path& each) {
        return variable_of(each) == nullptr && each.members.size() == 2 &&
               each.members[0] == step(nullptr) && each.members[1] == step(nullptr);
    };
    for (atom each = 0; each < values_.atoms(); ++each) {
        const std::vector<path> paths = values_.paths_of(each);
        const bool changes = std::any_of(paths.begin(), paths.end(), [&](const path& of) {
            return !(target != nullptr && of == *target) && !is_returned_value(of) &&
                   !is_constant(of) && is_reachable(of) && by.may_change(of, values_.context());
        });
        if (changes && !has_new_size(each, paths)) forget(now, each);
    }
}

/// A container may have a second name, behind a reference or a pointer.
void flow::forget_changed_by_assignment(facts& now, const Expr* assigned,
                                        const std::optional<path>& target) {
    side_effect effect;
    if (!values_.place_of(assigned)) {
        effect = side_effects::of_assignment(assigned, values_.context());
    } else if (const auto* member = dyn_cast<MemberExpr>(strip(assigned))) {
        // The functions that are followed have other names for the object's members.
        effect.names.insert(cast<ValueDecl>(member->getMemberDecl()->getCanonicalDecl()));
    } else {
        return;
    }
    forget_changed(now, effect, target ? &*target : nullptr);
}

void flow::forget_other_names(const call_parts& call, facts& now) {
    if (call.callee == nullptr || call.expression == what_.start ||
        !is_in_system_header(call.callee, values_.context()))
        return;
    side_effect effect = side_effects::of_library_call(call.callee, call.object, call.arguments);
    effect.names.clear();
    const auto target = call.object != nullptr ? values_.object_path(call.object) : std::nullopt;
    std::optional<polynomial> size;
    if (name_of(call.callee) == "resize" && !call.arguments.empty())
        size = values_.value_of(call.arguments[0]);
    forget_changed(now, effect, target ? &*target : nullptr, size ? &*size : nullptr);
}

void flow::forget_dependents(facts& now, const path& changed) {
    const atom own = values_.value_atom(changed);
    for (const atom each : values_.atoms_of(changed, true))
        if (each != own) forget(now, each);
}

void flow::end_of(QualType type, facts& now) {
    const side_effect& effect = effects_.of_end(type.getNonReferenceType(), values_.context());
    forget_changed(now, effect, nullptr);
    if (what_.is_shared && effect.anything) read_all(now, nullptr);
}

void flow::effects(const Stmt* statement, facts& now) {
    const evaluation here(values_, &now);
    if (const auto* ended = dyn_cast<CXXDeleteExpr>(statement))
        if (!ended->getDestroyedType().isNull() && !values_.place_of(ended->getArgument()))
            end_of(ended->getDestroyedType(), now);
    // Its end is counted where it begins: no later part of the expression may rely on old values.
    if (isa<CXXBindTemporaryExpr>(statement)) end_of(cast<Expr>(statement)->getType(), now);
    // What is computed from the elements of an array, but not its address or size.
    const auto forget_all_of = [&](const Expr* array) {
        const auto whole =
            array != nullptr && !values_.place_of(array) ? values_.path_of(array) : std::nullopt;
        if (!whole) return;
        for (const atom each : values_.atoms_of(*whole, true))
            if (each != values_.value_atom(*whole) && each != values_.size_atom(*whole))
                forget(now, each);
    };
    const auto forget_other_members = [&](path of) {
        const atom name = values_.value_atom(of);
        const FieldDecl* field = of.members.empty() ? nullptr : of.members.back().field;
        if (field == nullptr || !field->getParent()->isUnion()) return;
        of.members.pop_back();
        for (const atom each : values_.atoms_of(of, true))
            if (each != name) forget(now, each);
    };
    if (isa<CastExpr, BinaryOperator, UnaryOperator, AbstractConditionalOperator>(statement))
        if (const auto result = values_.known_result(cast<Expr>(statement))) forget(now, *result);
    if (const auto* least = dyn_cast<Expr>(statement); least != nullptr &&
                                                       isa<CallExpr, ConditionalOperator>(least) &&
                                                       least->getType()->isUnsignedIntegerType())
        for (const polynomial& each : values_.upper_bounds(least))
            if (!may_be_error(each, now) && !now.is_negative(each))
                now.know_at_least_zero(each - values_.value_of(least));
    if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
        for (const Decl* each : declarations->decls())
            if (const auto* variable = dyn_cast<VarDecl>(each))
                effects_of_declaration(variable, now);
        return;
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (!binary->isAssignmentOp()) return;
        const auto target = values_.path_of(binary->getLHS());
        forget_changed_by_assignment(now, binary->getLHS(), target);
        if (!target) {
            if (!values_.place_of(binary->getLHS()))
                forget_all_of(elements_written(binary->getLHS()));
            return;
        }
        const atom name = values_.value_atom(*target);
        if (adds_error(*binary, name, now)) {
            forget(now, name);
            forget_dependents(now, *target);
            forget_other_members(*target);
            return;
        }
        const polynomial right = values_.value_of(binary->getRHS());
        const QualType type = binary->getLHS()->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        const auto computed = [&] {
            return cast<CompoundAssignOperator>(binary)->getComputationResultType();
        };
        switch (binary->getOpcode()) {
            case BO_Assign:
                if (values_.pointers.count(*target) == 0)
                    store(now, binary->getLHS(), name, right, binary->getRHS()->getType());
                else if (const auto where = values_.place_of(binary->getRHS()))
                    assign(now, name, where->offset);
                else
                    forget(now, name);
                break;
            case BO_AddAssign: {
                const polynomial sum = polynomial::of(name) + step * right;
                // A counter is taken not to wrap, because its loop would not end.
                if (right.constant() || type->isPointerType() || values_.is_exact(sum, type))
                    store(now, binary->getLHS(), name, sum, computed());
                else
                    forget(now, name);
                break;
            }
            case BO_SubAssign:
                store(now, binary->getLHS(), name, polynomial::of(name) - step * right, computed());
                break;
            default:
                forget(now, name);
        }
        forget_dependents(now, *target);
        forget_other_members(*target);
        return;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(statement)) {
        if (!unary->isIncrementDecrementOp()) return;
        const auto target = values_.path_of(unary->getSubExpr());
        forget_changed_by_assignment(now, unary->getSubExpr(), target);
        if (!target) {
            if (!values_.place_of(unary->getSubExpr()))
                forget_all_of(elements_written(unary->getSubExpr()));
            return;
        }
        const QualType type = unary->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        const atom name = values_.value_atom(*target);
        const auto& context = values_.context();
        const bool is_narrow =
            type->isIntegerType() && context.getIntWidth(type) < context.getIntWidth(context.IntTy);
        store(now, unary->getSubExpr(), name,
              unary->isIncrementOp() ? polynomial::of(name) + step : polynomial::of(name) - step,
              is_narrow ? context.IntTy : type);
        forget_dependents(now, *target);
        return;
    }
    if (const auto* choice = dyn_cast<ConditionalOperator>(statement)) {
        if (!choice->getType()->isIntegralOrEnumerationType()) return;
        // The state decides which of the two values it is, unless states with both values were
        // merged.
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
    // Its constructor has already been followed.
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
        const std::vector<const Expr*> arguments = written_arguments(construct);
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

/// Assigns the parts of a variable that contains pointers to the object.
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

/// The functions that begin, end or reset a decompressor keep its output pointer and remaining
/// space.
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

void flow::for_each_code_of(const call_parts& call,
                            const std::function<void(const FunctionDecl*)>& use) {
    const auto& context = values_.context();
    if (call.callee == nullptr || !is_in_system_header(call.callee, context)) {
        if (!values_.is_place_of_accessor(call.expression)) use(call.callee);
        return;
    }
    use(call.callee);
    if (call.object != nullptr)
        if (const auto called = code_in(call.object, context)) use(*called);
    for (const Expr* each : call.arguments)
        if (const auto called = code_in(each, context)) use(*called);
}

void flow::effects_of_call(const call_parts& call, facts& now) {
    const bool is_filler = fillers_.count(call.name) != 0;
    if (isa<CXXConstructExpr>(call.expression) && call.arguments.empty()) return;
    if (call.name == "std::move" && call.arguments.size() == 1) {
        // What takes the pointer leaves the object alone. Other classes may be emptied.
        constexpr std::array smart = {"unique_ptr", "shared_ptr"};
        const auto* record = call.arguments[0]->getType()->getAsCXXRecordDecl();
        if (record != nullptr && record->isInStdNamespace() && is_one_of(name_of(record), smart))
            return;
    }
    // The result atom may still have the value of an earlier pass of a loop.
    const auto* callee = call.callee;
    if (const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(callee))
        if (is_view_class(constructor->getParent())) return;
    const FunctionDecl* body = nullptr;
    const bool was_followed = callee != nullptr && callee->hasBody(body) &&
                              collected_.count({body, call.expression}) != 0;
    if (!is_filler && !was_followed) forget(now, values_.result_atom(call.expression));
    if (was_followed) return;
    constexpr std::array<std::string_view, 9> enders = {
        "reset", "clear", "erase", "pop_back", "pop_front", "pop", "resize", "assign", "emplace"};
    const bool is_assignment = callee != nullptr && callee->getOverloadedOperator() == OO_Equal;
    if (call.object != nullptr && is_in_system_header(callee, values_.context()) &&
        (is_assignment || is_one_of(name_of(callee), enders)))
        end_of(call.object->getType(), now);
    if (!is_filler)
        for_each_code_of(call, [&](const FunctionDecl* code) {
            forget_changed(now, effects_.of(code, values_.context()), nullptr);
        });
    forget_other_names(call, now);
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
                // The position of an iterator of a list or a map is not a number.
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
                    // The new value may depend on the old one.
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
    if (method != nullptr && call.object != nullptr && !keeps_object(*method)) {
        const auto target = values_.object_path(call.object);
        const llvm::StringRef name = name_of(method);
        if (target && call.expression != what_.start && !method->isOverloadedOperator()) {
            const atom size = values_.size_atom(*target);
            const bool is_whole =
                what_.object.kind == object_kind::container && *target == what_.object.root;
            const auto bytes = is_whole ? kept_bytes(call, now) : std::nullopt;
            const auto kept = bytes ? now.normal(*bytes).divided(values_.size_of(what_.object.type))
                                    : std::nullopt;
            if (is_stream(call.object->getType())) {
                // Among them is clear(), after which nothing tells that a read failed.
                const atom characters = values_.stream_count_atom(*target);
                for (const atom each : values_.atoms_of(*target, true))
                    if (name != "clear" || each != characters) forget(now, each);
            } else if (name == "resize" && !call.arguments.empty())
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
            // Only an unknown function can change the size of the object's own handle.
            const auto target = values_.path_of(argument);
            const auto where = values_.place_of(argument);
            const VarDecl* variable =
                target && target->members.empty() ? variable_of(*target) : nullptr;
            if (where && where->how == form::object && values_.aliases.count(variable) != 0)
                forget_dependents(now, *target);  // The reference still refers to the same bytes.
            else if (target && !is_stream(argument->getType()))
                forget_all(now, *target, true);
        } else if (type->isPointerType() && !type->getPointeeType().isConstQualified()) {
            const Expr* inner = strip_casts(argument);
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
            const Expr* inner = strip_casts(call.arguments[index]);
            const auto* address = dyn_cast<UnaryOperator>(inner);
            if (address != nullptr && address->getOpcode() == UO_AddrOf)
                if (const auto target = values_.path_of(address->getSubExpr()))
                    assign(now, values_.value_atom(*target),
                           polynomial::of(values_.result_atom(call.arguments[index])));
        }
    }
}

}  // namespace freehold::check
