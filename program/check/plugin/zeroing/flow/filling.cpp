// SPDX-License-Identifier: BSL-1.0
// The effects of functions that fill a buffer: those of the table, and those that write strings.
#include "check/plugin/syntax/syntax.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {
namespace {

using namespace clang;

const FieldDecl* field_named(QualType type, std::string_view name) {
    const auto* record = type.isNull() ? nullptr : type->getAsRecordDecl();
    if (record == nullptr) return nullptr;
    for (const FieldDecl* each : record->fields())
        if (name_of(each) == llvm::StringRef(name)) return each->getCanonicalDecl();
    return nullptr;
}

path part_of(path whole, const step& last) {
    whole.members.push_back(last);
    return whole;
}

}  // namespace

/// `in >> number` writes the number unless the stream has failed before or fails now.
std::optional<flow::states> flow::extracted(const call_parts& call, const facts& before) {
    if (call.name != "std::basic_istream::operator>>" || call.arguments.size() != 1 ||
        call.object == nullptr || !call.arguments[0]->getType()->isArithmeticType())
        return std::nullopt;
    const auto where = values_.place_of(call.arguments[0]);
    const auto stream = values_.stream_of(call.object);
    if (!where || where->how != form::object || !stream || values_.place_of(call.object))
        return std::nullopt;
    const atom good = values_.stream_atom(*stream);
    states result;
    facts done = before;
    if (done.assume(polynomial::of(good), relation::unequal)) {
        forget(done, good);
        write(done, extent_of(*where), call.expression, false);
        if (done.assume(polynomial::of(good), relation::unequal)) result.push_back(std::move(done));
    }
    facts none = before;
    forget(none, good);
    none.covered.clear();  // So that the states of all passes of a loop are the same.
    none.failed_streams.insert(good);
    result.push_back(std::move(none));
    return result;
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
                 call.expression, has_padding(now));
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
            const atom reported = values_.result_atom(argument(how.count));
            forget(now, reported);
            write(now, {low, low + counted}, call.expression, false);
            now.promise_if({result, how.when, polynomial::of(reported) - counted});
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
    // The function reads other members, for example next_in.
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
        const polynomial wanted = values_.value_of(call.expression);
        now.know_at_least_zero(wanted);
        const bool is_bounded = how.size != no_argument;
        const polynomial room =
            is_bounded ? values_.value_of(call.arguments[static_cast<std::size_t>(how.size)])
                       : now.zeroed.high - low;
        // Without room, it writes no terminator.
        if (is_bounded && !now.at_least_zero(room - 1)) return;
        polynomial written = wanted + 1;
        if (!now.at_least_zero(low + room - now.zeroed.high)) {
            const atom count = values_.count_atom(call.expression);
            forget(now, count);
            written = polynomial::of(count);
            now.know_at_least_zero(written - 1);
            now.know_at_least_zero(room - written);
            now.know_at_least_zero(wanted + 1 - written);
        }
        // If the rest of the object is too small, the function fills it completely.
        for (const atom each : written.atoms()) string_sizes_.insert(each);
        write(now, {low, low + written}, call.expression, false);
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

/// What the results of the C library's functions imply for a string.
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

}  // namespace freehold::check
