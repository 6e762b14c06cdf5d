// SPDX-License-Identifier: BSL-1.0
// What calls do to the object.
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

const FieldDecl* field_named(QualType type, std::string_view name) {
    const auto* record = type.isNull() ? nullptr : type->getAsRecordDecl();
    if (record == nullptr) return nullptr;
    for (const FieldDecl* each : record->fields())
        if (name_of(each) == llvm::StringRef(name)) return each->getCanonicalDecl();
    return nullptr;
}

bool may_read_target(const FunctionDecl* assignment) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(assignment);
    return method != nullptr && method->isUserProvided() &&
           !method->getParent()->isInStdNamespace();
}

/// A function of the C library has the same name in `std` and outside it.
llvm::StringRef without_std(llvm::StringRef name) {
    name.consume_front("std::");
    return name;
}

/// Functions that read a terminated string from each pointer to characters that they get.
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

path part_of(path whole, const step& last) {
    whole.members.push_back(last);
    return whole;
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
    for (const Expr* each : call->arguments()) result.arguments.push_back(each);
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
        result.object = member->getImplicitObjectArgument();
    } else if (isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(result.callee) &&
               !result.arguments.empty()) {
        result.object = result.arguments.front();
        result.arguments.erase(result.arguments.begin());
    }
    return result;
}

/// What a member function is called on.
std::optional<place> flow::object_of(const call_parts& call) {
    auto result = call.object != nullptr ? values_.place_of(call.object) : std::nullopt;
    if (!result || isa<CXXOperatorCallExpr>(call.expression)) return result;
    const QualType type = call.object->getType();
    if (type->isPointerType() && values_.is_address(result))
        return place{form::object, result->offset, type->getPointeeType(), {}};
    return result;
}

/// The lambda that an argument is, through the moves of older standards; null if it is none.
const LambdaExpr* flow::lambda_of(const Expr* argument) {
    argument = strip(argument)->IgnoreImplicit();
    if (const auto* construct = dyn_cast<CXXConstructExpr>(argument))
        if (construct->getNumArgs() == 1) argument = strip(construct->getArg(0))->IgnoreImplicit();
    return dyn_cast<LambdaExpr>(argument);
}

/// True if the lambda overwrites what its only parameter refers to before it reads it.
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
    flow inner(values_.context(), graphs_, {}, element);
    inner.fillers_ = fillers_;
    const verdict found = inner.follow_parameter(callee);
    return !found.needed && found.overwritten && !found.padding_left;
}

flow::states flow::use_in_call(const call_parts& call, const function_uses& uses,
                               const facts& before) {
    facts now = before;
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
                    // An assignment operator of the user's may read what it overwrites.
                    if (may_read_target(call.callee)) break;
                    use_right();
                    write(now, extent_of(*left), call.expression, true);
                    return {now};
                }
                // An iterator moves on.
                if (left && right && left->how == form::address && right->how == form::address)
                    return {now};
                use_right();
                if (left && left->how == form::handle)
                    now.end();
                else if (right && right->how == form::handle)
                    now.end();  // Moved or copied as a whole.
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
    if (use_extraction(call, now)) return {now};
    // What uses the place that it returns is seen where that is used.
    if (values_.is_place_of_accessor(call.expression)) return {now};
    if (use_filler(call, now) || use_algorithm(call, now)) return {now};
    if (object && use_method(call, *object, now)) return {now};
    if (auto result = inlined(call, now)) return *result;
    const auto* lambda = dyn_cast_or_null<CXXMethodDecl>(call.callee);
    if (lambda != nullptr && lambda->getParent()->isLambda()) read_all(now, call.expression);
    if (call.object != nullptr && (object || reaches_object(strip(call.object)))) {
        // What a pointer leads to may be the beginning of more.
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

/// `in >> number` writes the number unless the stream has failed, before or then.
bool flow::use_extraction(const call_parts& call, facts& now) {
    if (call.name != "std::basic_istream::operator>>" || call.arguments.size() != 1 ||
        call.object == nullptr || !call.arguments[0]->getType()->isArithmeticType())
        return false;
    const auto where = values_.place_of(call.arguments[0]);
    const auto stream = values_.stream_of(call.object);
    if (!where || where->how != form::object || !stream || values_.place_of(call.object))
        return false;
    const atom count = values_.count_atom(call.expression);
    const atom good = values_.stream_atom(*stream);
    forget(now, count);
    forget(now, good);
    now.know_at_least_zero(polynomial::of(count));
    write(now, {where->offset, where->offset + polynomial::of(count)}, call.expression, false);
    now.promise_if({good, success::if_nonzero,
                    polynomial::of(count) - polynomial(values_.size_of(where->type))});
    return true;
}

bool flow::use_filler(const call_parts& call, facts& now) {
    const auto found = fillers_.find(call.name);
    if (found == fillers_.end()) return false;
    const filler& how = found->second;
    if (how.how == filled::nothing) return true;
    if (how.how == filled::by_room) return use_room(call, how, now);
    if (how.how == filled::by_parts) {
        if (call.arguments.size() <= static_cast<std::size_t>(how.size)) return false;
        return use_parts(call.expression, call.arguments[static_cast<std::size_t>(how.buffer)],
                         values_.value_of(call.arguments[static_cast<std::size_t>(how.size)]), now);
    }
    if (how.how == filled::by_message) return use_message(call, how, now);
    const auto argument = [&](int index) -> const Expr* {
        return index >= 0 && static_cast<std::size_t>(index) < call.arguments.size()
                   ? call.arguments[static_cast<std::size_t>(index)]
                   : nullptr;
    };
    const Expr* buffer = argument(how.buffer);
    const auto where = buffer != nullptr ? values_.place_of(buffer) : std::nullopt;
    const bool copies = call.name.find("mem") != std::string::npos && how.how == filled::all;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        if (static_cast<int>(i) == how.buffer) continue;
        const auto other = values_.place_of(call.arguments[i]);
        if (!other) continue;
        if (copies)
            read(now, {other->offset, other->offset + values_.value_of(argument(how.size))},
                 call.expression, !padding_.empty());
        else
            read_all(now, call.expression);
    }
    if (!where) return true;
    if (!values_.is_address(where)) {
        read_all(now, call.expression);
        return true;
    }
    const polynomial& low = where->offset;
    if (how.how == filled::by_string || how.how == filled::by_format) {
        use_string_filler(call, how, low, now);
        return true;
    }
    polynomial unit = 1;
    if (how.unit != no_argument && argument(how.unit) != nullptr)
        unit = values_.value_of(argument(how.unit));
    polynomial most = how.size != no_argument && argument(how.size) != nullptr
                          ? values_.value_of(argument(how.size))
                          : now.zeroed.high - low;
    const atom result = values_.result_atom(call.expression);
    const atom count = values_.count_atom(call.expression);
    forget(now, result);
    forget(now, count);
    const polynomial counted = polynomial::of(count);
    switch (how.how) {
        case filled::all:
            write(now, {low, low + most}, call.expression, true);
            break;
        case filled::by_result:
            // `text.copy(to, text.size())`
            if (name_of(call.callee) == "copy" && call.object != nullptr)
                if (const auto all = values_.count_of(call.object))
                    if (now.normal(*all) == now.normal(most)) assign(now, result, most);
            write(now, {low, low + unit * polynomial::of(result)}, call.expression, false);
            now.know_at_least_zero(most - polynomial::of(result));
            break;
        case filled::by_status:
            write(now, {low, low + counted}, call.expression, false);
            now.promise_if({result, how.when, counted - most});
            break;
        case filled::by_argument: {
            if (how.size == how.count)
                if (const auto* address = dyn_cast<UnaryOperator>(strip(argument(how.count))))
                    most = values_.value_of(address->getSubExpr());
            const atom told = values_.result_atom(argument(how.count));
            forget(now, told);
            write(now, {low, low + counted}, call.expression, false);
            now.promise_if({result, how.when, polynomial::of(told) - counted});
            now.know_at_least_zero(now.normal(most) - counted);
            break;
        }
        case filled::by_stream: {
            const std::int64_t character = values_.size_of(where->type);
            write(now, {low, low + polynomial(character) * counted}, call.expression, false);
            now.know_at_least_zero(most - counted);
            const auto stream =
                call.object != nullptr ? values_.stream_of(call.object) : std::nullopt;
            if (!stream) break;
            const atom good = values_.stream_atom(*stream);
            forget(now, good);
            now.promise_if({good, success::if_nonzero, counted - most});
            assign(now, values_.stream_count_atom(*stream), counted);
            break;
        }
        case filled::by_room:
        case filled::by_parts:
        case filled::by_message:
        case filled::by_string:
        case filled::by_format:
        case filled::nothing:
            break;
    }
    return true;
}

std::optional<flow::room_left> flow::room_of(const call_parts& call, const filler& how) {
    if (call.arguments.size() <= static_cast<std::size_t>(how.buffer)) return std::nullopt;
    const Expr* argument = call.arguments[static_cast<std::size_t>(how.buffer)];
    auto whole = values_.pointee_of(argument);
    const QualType type = argument->getType()->getPointeeType();
    const auto* next = field_named(type, how.members.next);
    const auto* left = field_named(type, how.members.room);
    const auto* position = field_named(type, how.members.position);
    if (!whole || next == nullptr || left == nullptr) return std::nullopt;
    if (values_.pointers.count(part_of(*whole, next)) == 0) return std::nullopt;
    room_left result{*whole, values_.value_atom(part_of(*whole, next)),
                     values_.value_atom(part_of(*whole, left)), std::nullopt};
    if (position != nullptr) result.position = values_.value_atom(part_of(*whole, position));
    return result;
}

bool flow::use_room(const call_parts& call, const filler& how, facts& now) {
    const auto of = room_of(call, how);
    if (!of) return false;
    // What the function reads, for example next_in.
    for (const path& each : values_.pointers)
        if (each.starts_with(of->whole) && values_.value_atom(each) != of->next)
            read_all(now, call.expression);
    const atom count = values_.count_atom(call.expression);
    forget(now, count);
    polynomial low = polynomial::of(of->next);
    polynomial left = polynomial::of(of->left);
    if (of->position) {
        low += polynomial::of(*of->position);
        left -= polynomial::of(*of->position);
    }
    now.know_at_least_zero(polynomial::of(count));
    now.know_at_least_zero(left - polynomial::of(count));
    write(now, {low, low + polynomial::of(count)}, call.expression, false);
    return true;
}

bool flow::use_message(const call_parts& call, const filler& how, facts& now) {
    if (call.arguments.size() <= static_cast<std::size_t>(how.buffer)) return false;
    const Expr* argument = call.arguments[static_cast<std::size_t>(how.buffer)];
    const auto whole = values_.pointee_of(argument);
    const QualType type = argument->getType()->getPointeeType();
    const auto* parts = field_named(type, "msg_iov");
    const auto* count = field_named(type, "msg_iovlen");
    if (!whole || parts == nullptr || count == nullptr) return false;
    const auto array = parts_.find(part_of(*whole, parts));
    if (array == parts_.end()) return false;
    return use_parts(call.expression, array->second,
                     polynomial::of(values_.value_atom(part_of(*whole, count))), now);
}

void flow::use_string_filler(const call_parts& call, const filler& how, const polynomial& low,
                             facts& now) {
    if (how.how == filled::by_format) {
        // Where the buffer is too small it is filled whole.
        const polynomial wanted = values_.value_of(call.expression);
        now.know_at_least_zero(wanted);
        for (const atom each : wanted.atoms()) string_sizes_.insert(each);
        write(now, {low, low + wanted + 1}, call.expression, false);
        return;
    }
    const auto stream = call.object != nullptr ? values_.stream_of(call.object) : std::nullopt;
    const atom status =
        stream ? values_.stream_atom(*stream) : values_.result_atom(call.expression);
    const atom count = values_.count_atom(call.expression);
    const atom size = values_.count_atom(call.expression, 1);
    for (const atom each : {status, count, size}) forget(now, each);
    string_sizes_.insert({count, size});
    now.know_at_least_zero(polynomial::of(count));
    now.know_at_least_zero(polynomial::of(size));
    write(now, {low, low + polynomial::of(count)}, call.expression, false);
    now.promise_if({status, how.when, polynomial::of(count) - polynomial::of(size) - 1});
    if (stream) assign(now, values_.stream_count_atom(*stream), polynomial::of(count));
}

std::optional<polynomial> flow::string_end(const polynomial& at, const facts& now) const {
    for (const byte_range& each : now.covered) {
        const bool is_string = std::any_of(
            string_sizes_.begin(), string_sizes_.end(),
            [&](atom size) { return now.normal(each.high).linear_coefficient(size) == 1; });
        if (is_string && now.at_least_zero(at - each.low) && now.at_least_zero(each.high - 1 - at))
            return each.high;
    }
    return std::nullopt;
}

/// What the C library's functions say of a string.
void flow::know_of_string(const call_parts& call, facts& now) {
    if (string_sizes_.empty() || call.arguments.empty()) return;
    const auto where = values_.place_of(call.arguments[0]);
    if (!values_.is_address(where)) return;
    const auto end = string_end(where->offset, now);
    if (!end) return;
    const llvm::StringRef name = without_std(call.name);
    const polynomial result = values_.value_of(call.expression);
    if (name == "strlen" || name == "strcspn" || name == "strspn")
        now.know_at_least_zero(*end - 1 - where->offset - result);
    if (name != "strchr" && name != "strrchr" && name != "strstr" && name != "strpbrk") return;
    now.know_at_least_zero(result - where->offset);
    const bool is_character = name == "strchr" || name == "strrchr";
    const auto character = is_character && call.arguments.size() > 1
                               ? values_.value_of(call.arguments[1]).constant()
                               : std::nullopt;
    const bool before_end = name == "strpbrk" || (character && *character != 0);
    now.know_at_least_zero(*end - (before_end ? 2 : 1) - result);
}

bool flow::use_parts(const Expr* call, const Expr* array, const polynomial& count, facts& now) {
    constexpr std::int64_t most_parts = 4;
    array = strip(array);
    const auto number = now.normal(count).constant();
    const QualType type = array->getType()->getPointeeType();
    const auto* base = field_named(type, "iov_base");
    const auto* size = field_named(type, "iov_len");
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(array)) array = strip(cast->getSubExpr());
    const bool is_array = array->getType()->isArrayType();
    auto whole = is_array ? values_.path_of(array) : values_.pointee_of(array);
    if (!number || *number < 1 || *number > most_parts || !whole || base == nullptr ||
        size == nullptr)
        return false;
    std::int64_t first = 0;
    if (!whole->members.empty() && whole->members.back().element != step::no_element) {
        first = whole->members.back().element;
        whole->members.pop_back();
    } else if (!is_array && *number != 1) {
        return false;
    }
    const bool has_elements = is_array || first != 0 || !whole->members.empty() || *number != 1;
    const atom result = values_.result_atom(call);
    forget(now, result);
    polynomial sum;
    for (std::int64_t i = 0; i < *number; ++i) {
        const path part = has_elements ? part_of(*whole, step(first + i)) : *whole;
        const atom filled = values_.count_atom(call, i);
        forget(now, filled);
        sum += polynomial::of(filled);
        now.know_at_least_zero(polynomial::of(filled));
        now.know_at_least_zero(polynomial::of(values_.value_atom(part_of(part, size))) -
                               polynomial::of(filled));
        const path target = part_of(part, base);
        if (values_.pointers.count(target) == 0) continue;
        const polynomial low = polynomial::of(values_.value_atom(target));
        write(now, {low, low + polynomial::of(filled)}, call, false);
    }
    now.know_at_least_zero(sum - polynomial::of(result));
    return true;
}

bool flow::use_algorithm(const call_parts& call, facts& now) {
    std::string name = call.name;
    const bool of_ranges = name.compare(0, 13, "std::ranges::") == 0;
    if (of_ranges)
        name = name.substr(13);
    else if (name.compare(0, 5, "std::") == 0)
        name = name.substr(5);
    else
        return false;
    auto arguments = call.arguments;
    // How it is executed.
    if (!arguments.empty() && name_of(class_of(arguments[0]->getType())).contains("policy"))
        arguments.erase(arguments.begin());
    const auto place_at = [&](std::size_t index) {
        auto where = index < arguments.size() ? values_.place_of(arguments[index]) : std::nullopt;
        // A plain pointer to the object is an iterator.
        if (where && where->how == form::handle && values_.is_address(where) &&
            arguments[index]->getType()->isPointerType())
            where->how = form::address;
        return where;
    };
    constexpr std::array filling = {"fill", "generate", "iota", "uninitialized_fill",
                                    "uninitialized_value_construct"};
    constexpr std::array filling_n = {"fill_n", "generate_n", "uninitialized_fill_n",
                                      "uninitialized_value_construct_n"};
    constexpr std::array copying = {"copy",
                                    "move",
                                    "transform",
                                    "reverse_copy",
                                    "partial_sum",
                                    "inclusive_scan",
                                    "exclusive_scan",
                                    "transform_inclusive_scan",
                                    "transform_exclusive_scan",
                                    "copy_backward",
                                    "move_backward",
                                    "uninitialized_copy",
                                    "uninitialized_move",
                                    "adjacent_difference",
                                    "rotate_copy",
                                    "replace_copy",
                                    "replace_copy_if",
                                    "sample",
                                    "merge"};
    constexpr std::array copying_n = {"copy_n", "uninitialized_copy_n", "uninitialized_move_n"};
    const auto captures_object = [&] {
        for (const Expr* each : arguments)
            if (const LambdaExpr* lambda = lambda_of(each))
                for (const Expr* capture : lambda->capture_inits())
                    if (capture != nullptr &&
                        (values_.place_of(capture) || reaches_object(strip(capture))))
                        return true;
        return false;
    };
    const auto read_values = [&](std::size_t from) {
        for (std::size_t i = from; i < arguments.size(); ++i)
            if (const auto each = place_at(i); each && each->how == form::object)
                read(now, extent_of(*each), call.expression);
    };
    const auto bytes_of = [&](const place& of, const polynomial& elements) {
        return polynomial(values_.size_of(of.type)) * elements;
    };
    const bool calls = name == "for_each" || name == "for_each_n";
    if (calls || is_one_of(name, filling) || is_one_of(name, filling_n)) {
        const auto first = place_at(0);
        if (!first || captures_object()) return false;
        const bool counted = name == "for_each_n" || is_one_of(name, filling_n);
        const bool is_pair = first->how == form::address;
        const std::size_t rest = is_pair ? 2 : 1;
        byte_range range = extent_of(*first);
        if (counted) {
            if (!is_pair || arguments.size() < 2) return false;
            const polynomial elements = values_.value_of(arguments[1]);
            range = {first->offset, first->offset + bytes_of(*first, elements)};
            assign(now, values_.count_atom(call.expression), elements);
        } else if (is_pair) {
            const auto last = place_at(1);
            if (!last) return false;
            range = {first->offset, last->offset};
        }
        if (calls) {
            const LambdaExpr* lambda =
                rest < arguments.size() ? lambda_of(arguments[rest]) : nullptr;
            // A projection chooses a part of each element.
            const bool projects = of_ranges && rest + 1 < arguments.size() &&
                                  !isa<CXXDefaultArgExpr>(arguments[rest + 1]);
            if (lambda == nullptr || projects || !fills_parameter(lambda)) return false;
        } else {
            read_values(1);
        }
        write(now, range, call.expression, false);
        return true;
    }
    const auto selecting = target_of_selection(call.name);
    const bool counted = is_one_of(name, copying_n);
    if (!counted && !selecting && !is_one_of(name, copying)) return false;
    if (captures_object()) return false;
    std::size_t next = 0;
    // Reads one range, which ends before the argument `next`, and returns how many elements it has.
    const auto source = [&](bool has_middle) -> std::optional<polynomial> {
        const std::size_t first = next;
        const bool is_range = of_ranges && !is_iterator(arguments[first]->getType());
        next += (is_range ? 1 : 2) + (has_middle ? 1 : 0);
        if (next > arguments.size()) return std::nullopt;
        const auto where = place_at(first);
        if (is_range) {
            if (where) {
                read(now, extent_of(*where), call.expression);
                return std::nullopt;
            }
            return values_.count_of(arguments[first]);
        }
        if (where) {
            const auto last = place_at(next - 1);
            if (last)
                read(now, {where->offset, last->offset}, call.expression);
            else
                read_all(now, call.expression);
        }
        return values_.count_between(arguments[first], arguments[next - 1]);
    };
    // What is read from an iterator on, as many elements as that.
    const auto half_source = [&](const std::optional<polynomial>& elements) {
        const auto where = place_at(next++);
        if (!where) return;
        if (elements && where->how == form::address)
            read(now, {where->offset, where->offset + bytes_of(*where, *elements)},
                 call.expression);
        else
            read_all(now, call.expression);
    };
    std::optional<polynomial> elements;
    if (arguments.empty()) return false;
    if (counted) {
        if (arguments.size() < 3) return false;
        elements = values_.value_of(arguments[1]);
        half_source(elements);
        next = 2;
    } else {
        elements = source(name == "rotate_copy");
        if (selecting && *selecting == 4) {
            if (next + 1 < arguments.size()) source(false);
        } else if (name == "merge") {
            if (next + 1 >= arguments.size()) return false;
            const auto more = source(false);
            elements = elements && more ? std::optional(*elements + *more) : std::nullopt;
        } else if (name == "transform" && of_ranges && arguments.size() >= 6) {
            // As many as the shorter range has.
            const auto other = source(false);
            if (elements && other && now.at_least_zero(*elements - *other))
                elements = other;
            else if (!elements || !other || !now.at_least_zero(*other - *elements))
                elements = std::nullopt;
        } else if (name == "transform" && !of_ranges && arguments.size() == 5) {
            half_source(elements);
        }
    }
    if (name == "sample" && next + 1 < arguments.size()) {
        const polynomial wanted = values_.value_of(arguments[next + 1]);
        if (elements && now.at_least_zero(*elements - wanted))
            elements = wanted;
        else if (!elements || !now.at_least_zero(wanted - *elements))
            elements = std::nullopt;
    }
    read_values(next + 1);
    const auto out = place_at(next);
    if (!out) return true;
    if (!values_.is_address(out)) {
        read_all(now, call.expression);
        return true;
    }
    const atom count = values_.count_atom(call.expression);
    forget(now, count);
    if (selecting) {
        now.know_at_least_zero(polynomial::of(count));
        elements = polynomial::of(count);
    }
    if (!elements) return true;
    if (!selecting) assign(now, count, *elements);
    const polynomial bytes = bytes_of(*out, *elements);
    byte_range range{out->offset, out->offset + bytes};
    if (name == "copy_backward" || name == "move_backward")
        range = {out->offset - bytes, out->offset};
    // Both compilers turn a copy of trivial elements into a memmove.
    write(now, range, call.expression, name == "copy" || name == "copy_n");
    return true;
}

/// For what makes the container smaller: the bytes that it keeps.
std::optional<polynomial> flow::kept_bytes(const call_parts& call, const facts& now) {
    const llvm::StringRef name = name_of(call.callee);
    const polynomial element = values_.size_of(what_.object.type);
    const polynomial bytes = element * polynomial::of(values_.size_atom(what_.object.root));
    if (name == "resize" && !call.arguments.empty()) {
        const Expr* count = strip(call.arguments[0]);
        while (const auto* cast = dyn_cast<CastExpr>(count)) count = strip(cast->getSubExpr());
        // `end - x.begin()`: bytes are known where elements may not be.
        const auto* call_of_minus = dyn_cast<CXXOperatorCallExpr>(count);
        const auto* minus = dyn_cast<BinaryOperator>(count);
        const bool is_call = call_of_minus != nullptr && call_of_minus->getOperator() == OO_Minus &&
                             call_of_minus->getNumArgs() == 2;
        if (is_call || (minus != nullptr && minus->getOpcode() == BO_Sub)) {
            const auto last =
                values_.place_of(is_call ? call_of_minus->getArg(0) : minus->getLHS());
            const auto first =
                values_.place_of(is_call ? call_of_minus->getArg(1) : minus->getRHS());
            if (first && last && first->how == form::address && last->how == form::address &&
                values_.size_of(last->type) == values_.size_of(what_.object.type))
                return last->offset - first->offset;
        }
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
        // What is beyond the new size is gone. What is new is zeroed there, not here.
        if (now.is_covered({now.zeroed.low, bytes})) {
            if (!now.covered.empty() && !now.is_all_covered()) verdict_.overwritten = true;
            now.zeroed.high = now.normal(bytes);
            now.cover(now.zeroed);
        } else if (now.at_least_zero(now.zeroed.high - bytes)) {
            now.zeroed.high = now.normal(bytes);
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
    if (name == "write" || name == "substr" || name == "compare" || name == "subspan") {
        read(now, extent_of(on), call.expression);
        return true;
    }
    if (on.how == form::object)
        read(now, extent_of(on), call.expression);
    else
        read_all(now, call.expression);
    return true;
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
    const QualType object_type = what_.object.type;
    const bool raw = !padding_.empty() && !type.isNull() && type->isPointerType() &&
                     (type->isVoidPointerType() || type->getPointeeType()->isAnyCharacterType());
    (void)object_type;
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
        // A range that ends at the next argument, or began at the one before.
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
        // A pointer and how many bytes of it the function may use.
        const std::int64_t element = where.how == form::address && !where.type.isNull() && !raw
                                         ? values_.size_of(where.type)
                                         : 1;
        for (const Expr* each : arguments) {
            if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) continue;
            const polynomial count = now.normal(values_.value_of(each));
            const bool whole = count == now.normal(now.zeroed.high - where.offset);
            if (count.constant() && !whole) continue;
            const byte_range range{where.offset, where.offset + polynomial(element) * count};
            if (now.is_covered(range) && !(raw && now.padding_left)) {
                read(now, range, call.expression, raw);
                return;
            }
        }
    }
    read_all(now, call.expression, raw);
}

std::optional<flow::states> flow::inlined(const call_parts& call, const facts& before) {
    if (call.callee == nullptr || values_.frames.size() >= deepest_call) return std::nullopt;
    const FunctionDecl* callee = nullptr;
    if (!call.callee->hasBody(callee) || callee->isVariadic() || callee->isDependentContext() ||
        is_in_system_header(callee, values_.context()) || callee->isDefaulted() ||
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
                const auto* variable =
                    named && named->members.empty()
                        ? dyn_cast_or_null<VarDecl>(static_cast<const Decl*>(named->root))
                        : nullptr;
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
    states ends = run(callee, uses->second, now, call.expression);
    block_ = caller_block;
    returns_parameter_ = outer_returns;
    values_.frames.pop_back();
    // The result has been assigned to a name of the called function's.
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
