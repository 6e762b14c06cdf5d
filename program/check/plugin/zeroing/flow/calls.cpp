// SPDX-License-Identifier: BSL-1.0
// The effects of calls on the object.
#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/returned_pointers.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace freehold::check {
namespace {

using namespace clang;

constexpr std::size_t deepest_call = 4;

/// `std::ranges::__copy_fn::operator()` is `std::ranges::copy`.
std::string without_function_object(const std::string& name) {
    constexpr std::string_view begin = "std::ranges::__";
    const std::size_t end = name.rfind("_fn::operator()");
    if (name.compare(0, begin.size(), begin) != 0 || end == std::string::npos) return name;
    return "std::ranges::" + name.substr(begin.size(), end - begin.size());
}

bool may_read_target(const FunctionDecl* assignment) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(assignment);
    return method != nullptr && method->isUserProvided() &&
           !method->getParent()->isInStdNamespace();
}

/// Functions that read a terminated string from each of their pointers to characters.
bool reads_strings(llvm::StringRef qualified, std::size_t arguments) {
    const llvm::StringRef name = without_std(qualified);
    constexpr std::array readers = {
        "strlen",      "strchr",   "strrchr", "strstr",   "strpbrk", "strcspn",    "strspn",
        "strcmp",      "strdup",   "strncmp", "strtol",   "strtoul", "strtoll",    "strtod",
        "strtof",      "strtoull", "atoi",    "atol",     "atof",    "puts",       "fputs",
        "printf",      "fprintf",  "sprintf", "snprintf", "sscanf",  "operator<<", "strcasecmp",
        "strncasecmp", "fopen",    "open"};
    if (is_one_of(name, readers)) return true;
    constexpr std::array of_strings = {"basic_string",
                                       "basic_string_view",
                                       "basic_string::operator=",
                                       "basic_string::operator+=",
                                       "basic_string::append",
                                       "basic_string::assign"};
    return is_one_of(name, of_strings) && arguments <= 2;
}

}  // namespace

flow::call_parts flow::parts_of(const Expr* expression) const {
    call_parts result;
    result.expression = expression;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        result.callee = construct->getConstructor();
        result.name = qualified_name(construct->getConstructor()->getParent());
        for (const Expr* each : construct->arguments()) result.arguments.push_back(each);
        return result;
    }
    const auto* call = cast<CallExpr>(expression);
    result.callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    result.name = without_function_object(name_of_callee(call));
    result.object = receiver_of(call);
    result.arguments = arguments_of_call(call);
    return result;
}

/// The place of the object on which a member function is called.
std::optional<place> flow::object_of(const call_parts& call) {
    auto result = call.object != nullptr ? values_.place_of(call.object) : std::nullopt;
    if (!result || isa<CXXOperatorCallExpr>(call.expression)) return result;
    const QualType type = call.object->getType();
    if (type->isPointerType() && values_.is_address(result))
        return place{form::object, result->offset, type->getPointeeType(), {}};
    return result;
}

/// The lambda in an argument, also if older standards move it. Null if the argument is not a
/// lambda.
const LambdaExpr* flow::lambda_of(const Expr* argument) {
    argument = strip(argument)->IgnoreImplicit();
    if (const auto* construct = dyn_cast<CXXConstructExpr>(argument))
        if (construct->getNumArgs() == 1) argument = strip(construct->getArg(0))->IgnoreImplicit();
    return dyn_cast<LambdaExpr>(argument);
}

/// True if the lambda overwrites the target of its only parameter before it reads it.
bool flow::fills_parameter(const LambdaExpr* lambda) {
    const FunctionDecl* callee = lambda->getCallOperator();
    if (const FunctionTemplateDecl* pattern = lambda->getDependentCallOperator()) {
        callee = nullptr;
        for (const FunctionDecl* each : pattern->specializations()) {
            if (!each->doesThisDeclarationHaveABody()) continue;
            if (callee != nullptr) return false;
            callee = each;
        }
    }
    if (callee == nullptr || callee->getNumParams() != 1 || !callee->hasBody() ||
        callee->isDependentContext())
        return false;
    const ParmVarDecl* parameter = callee->getParamDecl(0);
    const QualType type = parameter->getType();
    if (!type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) return false;
    zeroing element;
    element.object = {{parameter->getCanonicalDecl(), {}},
                      object_kind::storage,
                      type->getPointeeType().getUnqualifiedType()};
    element.extent.bytes = values_.size_of(type);
    element.is_local = false;
    flow inner(values_.context(), graphs_, filled_counts_, {}, element, work_left_);
    inner.fillers_ = fillers_;
    const verdict found = inner.follow_parameter(callee);
    return !found.needed && found.overwritten && !found.padding_left;
}

flow::states flow::use_in_call(const call_parts& call, const function_uses& uses,
                               const facts& before) {
    facts now = before;
    const evaluation here(values_, &now);
    const auto object = object_of(call);
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(call.expression)) {
        const auto place_at = [&](unsigned index) {
            return operation->getNumArgs() > index ? values_.place_of(operation->getArg(index))
                                                   : std::nullopt;
        };
        const auto left = place_at(0);
        const auto right = place_at(1);
        const auto use_right = [&] {
            if (!right) return;
            if (right->how == form::object)
                read(now, extent_of(*right), call.expression);
            else
                read_all(now, call.expression);
        };
        switch (operation->getOperator()) {
            case OO_Equal:
                if (call.expression == what_.start) return {now};
                if (left && left->how == form::object) {
                    // A user's assignment operator may read the object that it overwrites.
                    if (may_read_target(call.callee)) break;
                    use_right();
                    write(now, extent_of(*left), call.expression, true);
                    return {now};
                }
                // The iterator moves to another element.
                if (left && right && left->how == form::address && right->how == form::address)
                    return {now};
                use_right();
                if (left && left->how == form::handle)
                    now.end();
                else if (right && right->how == form::handle)
                    now.end();  // The whole object is moved or copied.
                return {now};
            case OO_EqualEqual:
            case OO_ExclaimEqual:
            case OO_Spaceship:
            case OO_Less:
            case OO_Greater:
            case OO_LessEqual:
            case OO_GreaterEqual:
                if (what_.object.kind == object_kind::container &&
                    ((left && left->how == form::handle) || (right && right->how == form::handle)))
                    read_all(now, call.expression);
                for (const auto& each : {left, right})
                    if (each && each->how == form::object)
                        read(now, extent_of(*each), call.expression);
                return {now};
            case OO_PlusPlus:
            case OO_MinusMinus:
            case OO_Minus:
            case OO_Plus:
            case OO_Exclaim:
                if ((left && left->how == form::object) || (right && right->how == form::object))
                    break;
                return {now};
            case OO_PlusEqual:
            case OO_MinusEqual:
                if (left && left->how != form::object) {
                    use_right();
                    return {now};
                }
                break;
            default:
                break;
        }
    }
    if (call.name == "std::move" || call.name == "std::forward") return {now};
    if (auto split = extracted(call, now)) return std::move(*split);
    // The use of the returned place is judged where it is used.
    if (values_.is_place_of_accessor(call.expression)) return {now};
    if (use_filler(call, now) || use_algorithm(call, now)) return {now};
    if (object && use_method(call, *object, now)) return {now};
    if (auto result = inlined(call, now)) return *result;
    const auto* lambda = dyn_cast_or_null<CXXMethodDecl>(call.callee);
    if (lambda != nullptr && lambda->getParent()->isLambda()) read_all(now, call.expression);
    if (call.object != nullptr && (object || reaches_object(strip(call.object)))) {
        // A pointer may point to the beginning of a larger part.
        if (object && object->how == form::object && !call.object->getType()->isPointerType())
            read(now, extent_of(*object), call.expression);
        else
            read_all(now, call.expression);
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        if (const auto where = values_.place_of(call.arguments[i]))
            use_argument(call, i, *where, uses, now);
    }
    const auto used = uses.uses.find(call.expression);
    for (const Expr* each : used->second) {
        const bool was_read = each == call.object || values_.place_of(each);
        if (!was_read) read_all(now, call.expression);
    }
    return {now};
}

/// The bytes between two positions in the object. Empty if the expression is no such distance.
std::optional<polynomial> flow::distance_within(const Expr* count) {
    count = strip_casts(count);
    const auto* call = dyn_cast<CXXOperatorCallExpr>(count);
    const auto* minus = dyn_cast<BinaryOperator>(count);
    const bool is_call =
        call != nullptr && call->getOperator() == OO_Minus && call->getNumArgs() == 2;
    if (!is_call && (minus == nullptr || minus->getOpcode() != BO_Sub)) return std::nullopt;
    const auto last = values_.place_of(is_call ? call->getArg(0) : minus->getLHS());
    const auto first = values_.place_of(is_call ? call->getArg(1) : minus->getRHS());
    if (!first || !last || first->how != form::address || last->how != form::address ||
        values_.size_of(last->type) != values_.size_of(what_.object.type))
        return std::nullopt;
    return last->offset - first->offset;
}

/// The bytes that a call keeps when it makes the container smaller.
std::optional<polynomial> flow::kept_bytes(const call_parts& call, const facts& now) {
    const llvm::StringRef name = name_of(call.callee);
    const polynomial element = values_.size_of(what_.object.type);
    const polynomial bytes = element * polynomial::of(values_.size_atom(what_.object.root));
    if (name == "resize" && !call.arguments.empty()) {
        // In `end - x.begin()`, the bytes may be known even if the elements are not.
        if (const auto distance = distance_within(call.arguments[0])) return *distance;
        return element * values_.value_of(call.arguments[0]);
    }
    if (name == "pop_back") return bytes - element;
    if (name == "erase" && call.arguments.size() == 2) {
        const auto first = values_.place_of(call.arguments[0]);
        const auto last = values_.place_of(call.arguments[1]);
        if (first && last && first->how == form::address && last->how == form::address &&
            now.normal(last->offset) == now.normal(bytes))
            return first->offset;
    }
    return std::nullopt;
}

bool flow::use_method(const call_parts& call, const place& on, facts& now) {
    const llvm::StringRef name = name_of(call.callee);
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.callee);
    const auto* record = method != nullptr ? method->getParent() : nullptr;
    const bool library =
        record != nullptr && (record->isInStdNamespace() || on.how != form::object);
    if (!library) return false;
    constexpr std::array<std::string_view, 20> harmless = {
        "size",          "empty",        "capacity",   "max_size",      "length",
        "get_allocator", "reserve",      "use_count",  "shrink_to_fit", "push_back",
        "pop_back",      "has_value",    "get",        "data",          "begin",
        "end",           "owner_before", "size_bytes", "get_deleter",   "append"};
    if (isa<CXXConversionDecl>(method)) {
        if (!method->getReturnType()->isBooleanType()) read_all(now, call.expression);
        return true;
    }
    const auto kept = what_.object.kind == object_kind::container && on.how == form::handle
                          ? kept_bytes(call, now)
                          : std::nullopt;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (const auto other = values_.place_of(call.arguments[i]))
            if (other->how != form::address || (name != "get" && !kept))
                read_all(now, call.expression);
    if (call.expression == what_.start) return true;
    if (is_one_of(name, harmless) && !kept) return true;
    if (name == "fill") {
        write(now, extent_of(on), call.expression, false);
        return true;
    }
    if (kept) {
        const polynomial& bytes = *kept;
        // The bytes beyond the new size no longer exist. New bytes are zeroed by that call, not by
        // this construct.
        if (now.is_covered({now.zeroed.low, bytes})) {
            if (!now.covered.empty() && !now.is_all_covered()) verdict_.overwritten = true;
            now.shrink_to(bytes);
            now.cover(now.zeroed);
        } else if (now.at_least_zero(now.zeroed.high - bytes)) {
            now.shrink_to(bytes);
        }
        return true;
    }
    if (name == "emplace_back") return true;
    if (name == "assign") {
        write(now, now.zeroed, call.expression, false);
        return true;
    }
    if (name == "reset" || name == "clear" || name == "emplace") {
        now.end();
        return true;
    }
    const bool raw = is_raw(call.object);
    if (name == "write" || name == "substr" || name == "compare" || name == "subspan") {
        read(now, extent_of(on), call.expression, raw);
        return true;
    }
    if (on.how == form::object)
        read(now, extent_of(on), call.expression, raw);
    else
        read_all(now, call.expression, raw);
    return true;
}

/// True if one of the arguments says how large the whole object is: whoever knows this may use all
/// of it.
bool flow::tells_whole(const call_parts& call, const place& where, std::int64_t element,
                       const facts& now) {
    const polynomial bytes = now.normal(now.zeroed.high - where.offset);
    return std::any_of(call.arguments.begin(), call.arguments.end(), [&](const Expr* each) {
        if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) return false;
        const auto* member = dyn_cast<CXXMemberCallExpr>(strip_casts(each));
        const bool is_capacity = member != nullptr &&
                                 name_of(member->getMethodDecl()) == "capacity" &&
                                 values_.place_of(member->getImplicitObjectArgument());
        const polynomial count = now.normal(values_.value_of(each));
        return is_capacity || count == bytes || count * polynomial(element) == bytes;
    });
}

void flow::use_argument(const call_parts& call, std::size_t index, const place& where,
                        const function_uses& uses, facts& now) {
    const auto* construct = dyn_cast<CXXConstructExpr>(call.expression);
    if (construct != nullptr && where.how == form::handle &&
        construct->getConstructor()->isCopyOrMoveConstructor() &&
        is_returned(call.expression, uses)) {
        use(call.expression, call.arguments[index], where, uses, now);
        return;
    }
    if (call.name == "free" || call.name == "std::free") {
        now.end();
        return;
    }
    const auto& arguments = call.arguments;
    QualType type;
    if (call.callee != nullptr && index < call.callee->getNumParams())
        type = call.callee->getParamDecl(static_cast<unsigned>(index))->getType();
    const bool takes_bytes =
        !type.isNull() && type->isPointerType() &&
        (type->isVoidPointerType() || type->getPointeeType()->isAnyCharacterType());
    const bool raw = has_padding(now) && (takes_bytes || is_raw(arguments[index]));
    if (where.how == form::object || where.how == form::view) {
        read(now, extent_of(where), call.expression, raw);
        return;
    }
    if (where.how == form::address || where.how == form::handle) {
        if (call.name == "fwrite" || call.name == "std::fwrite") {
            const polynomial bytes =
                values_.value_of(arguments[1]) * values_.value_of(arguments[2]);
            read(now, {where.offset, where.offset + bytes}, call.expression, raw);
            return;
        }
        const bool is_text =
            type.isNull() || (type->isPointerType() && type->getPointeeType().isConstQualified() &&
                              type->getPointeeType()->isAnyCharacterType());
        if (is_text && reads_strings(call.name, arguments.size())) {
            if (const auto end = string_end(where.offset, now)) {
                read(now, {where.offset, *end}, call.expression);
                return;
            }
        }
        // A range from this argument to the next, or from the argument before to this one.
        for (const bool forward : {true, false}) {
            if (!forward && index == 0) continue;
            const std::size_t other_index = forward ? index + 1 : index - 1;
            if (other_index >= arguments.size()) continue;
            const auto other = values_.place_of(arguments[other_index]);
            if (!other || other->how != form::address || where.how != form::address) continue;
            byte_range range{where.offset, other->offset};
            if (!forward) std::swap(range.low, range.high);
            read(now, range, call.expression, raw);
            return;
        }
        // A pointer, and the number of its bytes that the function may use.
        const std::int64_t element = where.how == form::address && !where.type.isNull() && !raw
                                         ? values_.size_of(where.type)
                                         : 1;
        if (tells_whole(call, where, element, now)) {
            read_all(now, call.expression, raw);
            return;
        }
        for (const Expr* each : arguments) {
            if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) continue;
            const polynomial count = now.normal(values_.value_of(each));
            const bool whole = count == now.normal(now.zeroed.high - where.offset);
            if (count.constant() && !whole) continue;
            const byte_range range{where.offset, where.offset + polynomial(element) * count};
            // The function may use as many bytes as the largest of the numbers says.
            const bool is_largest =
                std::none_of(arguments.begin(), arguments.end(), [&](const Expr* other) {
                    return other->getType()->isIntegerType() &&
                           now.at_least_zero(values_.value_of(other) - count - 1);
                });
            if (is_largest && now.is_covered(range) && !(raw && now.padding_left)) {
                read(now, range, call.expression, raw);
                return;
            }
        }
    }
    read_all(now, call.expression, raw);
}

/// The number of elements of a view that is passed by value.
std::optional<polynomial> flow::viewed_count(const Expr* argument) {
    for (argument = strip(argument->IgnoreImplicit());;) {
        const Expr* inner = nullptr;
        if (const auto* construct = dyn_cast<CXXConstructExpr>(argument)) {
            const std::vector<const Expr*> written = written_arguments(construct);
            if (written.size() == 2 && written[1]->getType()->isIntegerType())
                return values_.value_of(written[1]);
            if (written.size() == 1) inner = written[0];
        } else if (const auto* call = dyn_cast<CXXMemberCallExpr>(argument)) {
            if (isa_and_nonnull<CXXConversionDecl>(call->getMethodDecl()))
                inner = call->getImplicitObjectArgument();
        } else if (const auto* cast = dyn_cast<CXXFunctionalCastExpr>(argument)) {
            inner = cast->getSubExpr();
        }
        if (inner == nullptr) return values_.count_of(argument);
        argument = strip(inner->IgnoreImplicit());
    }
}

/// True if the call may end in an override of the function.
static bool may_call_override(const Expr* expression, const FunctionDecl* callee) {
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
    if (method == nullptr || call == nullptr || !may_be_overridden(*method)) return false;
    if (const auto* member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens()))
        if (member->hasQualifier()) return false;
    const auto* name = dyn_cast<DeclRefExpr>(strip_casts(call->getImplicitObjectArgument()));
    return name == nullptr || name->getDecl()->getType()->isReferenceType() ||
           name->getDecl()->getType()->isPointerType();
}

unknown_reader flow::unknown_reader_in(const Stmt* statement, const facts& now) {
    const evaluation here(values_, &now);
    const auto* expression = dyn_cast_or_null<CallExpr>(statement);
    if (expression == nullptr) return {};
    const call_parts call = parts_of(expression);
    if (call.callee == nullptr ||
        (call.callee->hasBody() && !may_call_override(expression, call.callee)))
        return {};
    for (unsigned i = 0; i < call.arguments.size(); ++i)
        if (values_.is_address(values_.place_of(call.arguments[i]))) return {call.callee, i};
    return {};
}

std::optional<flow::states> flow::inlined(const call_parts& call, const facts& before) {
    if (call.callee == nullptr || values_.frames.size() >= deepest_call) return std::nullopt;
    const FunctionDecl* callee = nullptr;
    if (!call.callee->hasBody(callee) || callee->isVariadic() || callee->isDependentContext() ||
        is_in_system_header(callee, values_.context()) || callee->isDefaulted() ||
        may_call_override(call.expression, callee) ||
        std::find(values_.frames.begin(), values_.frames.end(), callee) != values_.frames.end() ||
        graphs_.of(callee, values_.context()) == nullptr)
        return std::nullopt;
    if (call.arguments.size() < callee->getNumParams()) return std::nullopt;
    facts now = before;
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
        const ParmVarDecl* parameter = callee->getParamDecl(i);
        const auto* key = cast<VarDecl>(parameter->getCanonicalDecl());
        const Expr* argument = call.arguments[i];
        const bool is_reference = parameter->getType()->isReferenceType();
        const atom value = values_.value_atom({key, {}});
        values_.aliases.erase(key);
        values_.bound.erase(key);
        values_.bound_pointees.erase(key);
        note_raw(key, argument);
        if (const auto where = values_.place_of(argument)) {
            const bool is_pointer = parameter->getType()->isPointerType();
            if (where->how == form::handle && is_reference) {
                values_.bound[key] = what_.object.root;
                continue;
            }
            if (where->how == form::handle && is_pointer &&
                what_.object.kind == object_kind::container) {
                values_.bound_pointees[key] = what_.object.root;
                continue;
            }
            if (where->how == form::address && is_reference) {
                const auto named = values_.path_of(argument);
                const VarDecl* variable =
                    named && named->members.empty() ? variable_of(*named) : nullptr;
                if (variable != nullptr && values_.aliases.count(variable) != 0) {
                    values_.bound[key] = *named;
                    continue;
                }
            }
            if (where->how == form::object && is_reference) {
                values_.aliases[key] = form::object;
            } else if ((where->how == form::address || where->how == form::handle) && is_pointer) {
                values_.aliases[key] = form::address;
            } else if (where->how == form::view && is_view_class(class_of(parameter->getType()))) {
                values_.aliases[key] = form::view;
                const auto count =
                    where->size ? where->size->divided(values_.size_of(where->type)) : std::nullopt;
                if (count)
                    assign(now, values_.size_atom({key, {}}), *count);
                else
                    forget(now, values_.size_atom({key, {}}));
            } else if (where->how == form::address && is_alias_type(parameter->getType())) {
                values_.aliases[key] = form::address;
            } else {
                return std::nullopt;
            }
            assign(now, value, where->offset);
            continue;
        }
        if (is_reference) {
            if (const auto named = values_.path_of(argument)) {
                values_.bound[key] = *named;
                continue;
            }
        }
        if (const auto* address = dyn_cast<UnaryOperator>(strip(argument)))
            if (address->getOpcode() == UO_AddrOf)
                if (const auto named = values_.path_of(address->getSubExpr()))
                    values_.bound_pointees[key] = *named;
        assign(now, value, values_.value_of(argument));
        if (is_view_class(class_of(parameter->getType())) && !is_reference) {
            const auto count = viewed_count(argument);
            const atom size = values_.size_atom({key, {}});
            if (count)
                assign(now, size, *count);
            else
                forget(now, size);
        }
    }
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method != nullptr && call.object != nullptr && !method->getParent()->isLambda()) {
        values_.bound.erase(callee);
        values_.this_places.erase(callee);
        if (const auto named = values_.object_path(call.object)) values_.bound[callee] = *named;
        if (const auto where = object_of(call)) {
            if (where->how != form::object && where->how != form::address) return std::nullopt;
            values_.this_places[callee] = where->offset;
        }
    }
    if (call.expression == what_.creation) values_.bound[callee] = what_.whole;
    values_.frames.push_back(callee);
    const auto [uses, is_new] = collected_.try_emplace({callee, call.expression});
    if (is_new) uses->second = collect(callee);
    const CFGBlock* const caller_block = block_;
    const auto* plain_call = dyn_cast<CallExpr>(call.expression);
    const bool outer_returns = std::exchange(
        returns_parameter_, plain_call != nullptr && returned_parameter(plain_call).has_value());
    states ends = run(callee, uses->second, now);
    block_ = caller_block;
    returns_parameter_ = outer_returns;
    values_.frames.pop_back();
    // The result was assigned to an atom of the called function.
    const atom returned = values_.value_atom({callee, {nullptr, nullptr}});
    const atom result = values_.result_atom(call.expression);
    states after;
    for (facts& each : ends) {
        if (call.expression->getType()->isIntegralOrEnumerationType() ||
            call.expression->getType()->isPointerType())
            assign(each, result, polynomial::of(returned));
        for (const atom local : values_.atoms_within(callee)) forget(each, local);
        add_state(after, std::move(each));
    }
    return after;
}

}  // namespace freehold::check
