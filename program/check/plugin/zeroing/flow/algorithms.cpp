// SPDX-License-Identifier: BSL-1.0
// The effects of the library's algorithms on the object.
#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/returned_pointers.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

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
    // The first argument may be an execution policy.
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
    // Reads one range that ends before the argument `next`. Returns its number of elements.
    const auto source = [&](bool has_middle) -> std::optional<polynomial> {
        const std::size_t first = next;
        const bool is_range = of_ranges && !is_iterator(arguments[first]->getType());
        next += (is_range ? 1 : 2) + (has_middle ? 1 : 0);
        if (next > arguments.size()) return std::nullopt;
        const auto where = place_at(first);
        if (is_range) {
            if (where) {
                read(now, extent_of(*where), call.expression, is_raw(arguments[first]));
                return std::nullopt;
            }
            return values_.count_of(arguments[first]);
        }
        if (where) {
            const auto last = place_at(next - 1);
            const bool raw = is_raw(arguments[first]);
            if (last)
                read(now, {where->offset, last->offset}, call.expression, raw);
            else
                read_all(now, call.expression, raw);
        }
        return values_.count_between(arguments[first], arguments[next - 1]);
    };
    // Reads this number of elements from an iterator.
    const auto half_source = [&](const std::optional<polynomial>& elements) {
        const auto where = place_at(next++);
        if (!where) return;
        const bool raw = is_raw(arguments[next - 1]);
        if (elements && where->how == form::address)
            read(now, {where->offset, where->offset + bytes_of(*where, *elements)}, call.expression,
                 raw);
        else
            read_all(now, call.expression, raw);
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
            // The result has as many elements as the shorter range.
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

}  // namespace freehold::check
