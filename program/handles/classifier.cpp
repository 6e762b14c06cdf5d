// SPDX-License-Identifier: BSL-1.0
#include "handles/classifier.hpp"

#include "handles/valgrind_tool/site_flags.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace freehold {

classifier::classifier(std::vector<known_handle> handles) : handles_(std::move(handles)) {}

const classifier::known_name& classifier::look_up(const std::string& function) {
    const auto [found, is_new] = names_.try_emplace(function);
    known_name& result = found->second;
    if (!is_new) return result;
    const std::string name = without_arguments(function);
    const auto begins = [&](const std::string& text) {
        return text.front() == '*' ? matches(name, text) : name.rfind(text, 0) == 0;
    };
    for (const known_handle& handle : handles_) {
        if (std::any_of(handle.library.begin(), handle.library.end(), begins))
            result.library = true;
        for (const count_function& each : handle.counts)
            if (matches(name, each.function)) {
                result.handle = &handle;
                result.function = &each;
            }
        for (const std::string& each : handle.dispatch) result.dispatch |= name == each;
        for (const std::string& each : handle.apart) result.apart |= name == each;
        for (const std::string& each : handle.pointee)
            if (result.pointee.empty()) result.pointee = template_argument(function, each);
        for (const std::string& each : handle.itself)
            if (result.pointee.empty()) result.pointee = class_of(function, each);
    }
    return result;
}

bool classifier::is_passed_over(const code_function& function) {
    return function.implicit || look_up(function.name).library;
}

bool classifier::names_pointee(const code_function& function) {
    return !look_up(function.name).pointee.empty();
}

bool classifier::says_type(const function_chain& chain) {
    for (const code_function* each : chain) {
        if (!is_passed_over(*each)) return false;
        if (names_pointee(*each)) return true;
    }
    return false;
}

std::optional<classified> classifier::classify(const function_chain& chain) {
    classified result;
    bool dispatch = false;
    for (; result.user_frame < chain.size(); ++result.user_frame) {
        const known_name& name = look_up(chain[result.user_frame]->name);
        if (!is_passed_over(*chain[result.user_frame])) break;
        const bool is_open = result.function == nullptr || result.function->by_caller;
        if (is_open && name.function != nullptr) {
            result.handle = name.handle;
            result.function = name.function;
        }
        result.apart |= name.apart;
        dispatch |= name.dispatch && result.function == nullptr;
        if (result.pointee.empty()) result.pointee = name.pointee;
    }
    if (result.function == nullptr) return std::nullopt;
    if (result.function->by_caller && result.user_frame < chain.size()) return std::nullopt;
    const bool is_innermost = look_up(chain.front()->name).function == result.function;
    const auto set = [&](bool condition, unsigned flag) {
        if (condition) result.flags |= flag;
    };
    set(!result.function->make, site_atomic);
    set(result.function->plain && is_innermost, site_plain);
    set(result.function->unique && is_innermost, site_unique);
    set(result.function->make, site_make);
    set(result.function->weak, site_weak);
    set(result.handle->weak_by_address, site_weak_by_address);
    // The caller may belong to a handle whose two counts are distinguished by their addresses.
    set(result.handle->strong_by_address || result.function->by_caller, site_strong_by_address);
    set(result.handle->last_is_minus && !result.function->weak, site_last_is_minus);
    set(dispatch, site_dispatch);
    set(result.user_frame == chain.size(), site_stack);
    set(result.pointee.empty(), site_untyped);
    return result;
}

}  // namespace freehold
