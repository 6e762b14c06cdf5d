// SPDX-License-Identifier: BSL-1.0
#include "handles/classifier.hpp"

#include "handles/valgrind_tool/site_flags.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace freehold {

namespace {

bool is_pattern(const count_function& described) {
    return described.function.find('*') != std::string::npos;
}

/// Returns whether a function of `kind` that counts for its callers may count for `caller`.
bool may_be_for(const count_kind* kind, const count_kind* caller) {
    return !kind->word || (caller != nullptr && caller->name == kind->name);
}

}  // namespace

classifier::classifier(std::vector<known_handle> handles) : handles_(std::move(handles)) {
    for (const known_handle& handle : handles_)
        for (const auto& kind : handle.counts)
            if (kind->word && std::find(words_.begin(), words_.end(), kind.get()) == words_.end())
                words_.push_back(kind.get());
}

const classifier::known_name& classifier::look_up(const std::string& function) {
    const auto [found, is_new] = names_.try_emplace(function);
    known_name& result = found->second;
    if (!is_new) return result;
    std::string whole = function;
    for (const known_handle& handle : handles_)
        for (const std::string& each : handle.inline_namespaces)
            whole = without_namespace(std::move(whole), each);
    const std::string name = without_arguments(whole);
    const auto begins = [&](const std::string& text) {
        return text.front() == '*' ? matches(name, text) : name.rfind(text, 0) == 0;
    };
    for (const known_handle& handle : handles_) {
        if (std::any_of(handle.library.begin(), handle.library.end(), begins))
            result.library = true;
        for (const auto& kind : handle.counts) {
            for (const count_function& each : kind->functions)
                if (matches(name, each.function) &&
                    whole.find(each.argument) != std::string::npos &&
                    !(is_pattern(each) && result.function != nullptr &&
                      !is_pattern(*result.function))) {
                    result.handle = &handle;
                    result.kind = kind.get();
                    result.function = &each;
                }
            for (const std::string& each : kind->dispatch) result.dispatch |= name == each;
        }
        for (const std::string& each : handle.apart) result.apart |= name == each;
        for (const std::string& each : handle.deleter) result.takes_object |= name == each;
        for (const std::string& each : handle.needed) result.needed |= matches(name, each);
        for (const std::string& each : handle.deleter)
            result.has_deleter |=
                name == each && std::none_of(handle.delete_alone.begin(), handle.delete_alone.end(),
                                             [&whole](const std::string& deleter) {
                                                 return whole.find(deleter) != std::string::npos;
                                             });
        result.takes_object |= result.apart;
        if (!result.pointee.empty()) continue;
        for (const std::string& each : handle.pointee)
            if (result.pointee.empty()) result.pointee = template_argument(whole, each);
        for (const std::string& each : handle.itself)
            if (result.pointee.empty()) result.pointee = class_of(whole, each);
        if (!result.pointee.empty()) result.pointee_of = &handle;
    }
    return result;
}

bool classifier::is_library(const code_function& function) {
    return look_up(function.name).library;
}

bool classifier::is_passed_over(const code_function& function) {
    return function.implicit || is_library(function);
}

bool classifier::names_pointee(const code_function& function) {
    return !look_up(function.name).pointee.empty();
}

bool classifier::is_hidden(const std::string& pointee) const {
    const std::string name = without_arguments(pointee);
    return std::any_of(handles_.begin(), handles_.end(), [&name](const known_handle& handle) {
        return std::any_of(handle.hidden.begin(), handle.hidden.end(),
                           [&name](const std::string& each) { return matches(name, each); });
    });
}

bool classifier::says_type(const function_chain& chain) {
    for (const code_function* each : chain) {
        if (!is_passed_over(*each)) return false;
        if (names_pointee(*each) && each->merged.empty()) return true;
    }
    return false;
}

std::optional<classified> classifier::classify(const function_chain& chain) {
    classified result;
    const known_handle* pointee_of = nullptr;
    bool dispatch = false;
    bool is_innermost = true;
    for (; result.user_frame < chain.size(); ++result.user_frame) {
        const known_name& name = look_up(chain[result.user_frame]->name);
        if (!is_passed_over(*chain[result.user_frame])) break;
        dispatch |= name.dispatch && result.function == nullptr;
        const bool is_open = result.function == nullptr ||
                             (result.function->by_caller && may_be_for(result.kind, name.kind));
        // A function that locks a weak handle may call one that copies an owner.
        const bool is_outer_lock = name.function != nullptr && name.function->lock &&
                                   name.kind == result.kind && name.kind->word;
        const bool counts =
            name.function != nullptr && (result.user_frame == 0 || !name.function->own);
        const bool is_outer = name.function != nullptr && name.function->outer;
        if ((is_open && counts) || is_outer_lock || is_outer) {
            if (is_open) is_innermost = result.user_frame == 0;
            result.handle = name.handle;
            result.kind = name.kind;
            result.function = name.function;
        }
        result.apart |= name.apart;
        result.needed |= name.needed;
        result.has_deleter |= name.has_deleter;
        if (name.takes_object && !result.takes_object) result.takes_object = result.user_frame;
        if (pointee_of == nullptr) pointee_of = name.pointee_of;
        const code_function& function = *chain[result.user_frame];
        if (!function.merged.empty()) {
            add_pointees(function, result.pointees_of_merged);
        } else if (result.pointee.empty()) {
            result.pointee = name.pointee;
            result.typed_by = result.user_frame;
        }
    }
    if (result.function == nullptr) return std::nullopt;
    if (result.function->by_caller && !result.kind->word && result.user_frame < chain.size())
        return std::nullopt;
    const auto counts_so = [&result](const auto& kind) { return kind.get() == result.kind; };
    if (pointee_of != nullptr &&
        std::any_of(pointee_of->counts.begin(), pointee_of->counts.end(), counts_so))
        result.handle = pointee_of;
    result.flags = flags_of(result, is_innermost);
    if (dispatch) result.flags |= site_dispatch;
    if (result.handle->one_type) result.flags |= site_one_type;
    if (result.user_frame == chain.size()) result.flags |= site_stack;
    return result;
}

void classifier::add_pointees(const code_function& merged, std::set<std::string>& to) {
    if (const std::string& own = look_up(merged.name).pointee; !own.empty()) to.insert(own);
    for (const known_handle& handle : handles_)
        for (const std::string& each : handle.pointee)
            for (const std::string& signature : merged.merged)
                for (auto at = signature.find(each + "<"); at != std::string::npos;
                     at = signature.find(each + "<", at + 1)) {
                    const bool is_whole =
                        at == 0 ||
                        std::string_view(" (<,").find(signature[at - 1]) != std::string_view::npos;
                    const std::string found = template_argument(signature.substr(at), each);
                    if (is_whole && !found.empty()) to.insert(found);
                }
}

unsigned classifier::flags_of(const classified& found, bool is_innermost) const {
    const count_function& function = *found.function;
    const count_kind& kind = *found.kind;
    unsigned flags = 0;
    const auto set = [&](bool condition, unsigned flag) {
        if (condition) flags |= flag;
    };
    set(!function.make, site_atomic);
    // If the kind has a word, its values show whether a store counts.
    set(function.plain && (is_innermost || kind.word), site_plain);
    set(function.unique && (is_innermost || kind.word), site_unique);
    set(function.make, site_make);
    set(function.weak, site_weak);
    set(kind.weak_by_address, site_weak_by_address);
    // The caller may be of a handle whose two counts differ by their address.
    set(kind.strong_by_address || function.by_caller, site_strong_by_address);
    set(kind.weak_behind, site_weak_behind);
    set(kind.last_is_minus && !function.weak, site_last_is_minus);
    set(kind.dispatches, site_dispatch);
    set(kind.biased, site_biased);
    set(found.pointee.empty(), site_untyped);
    if (!kind.word) return flags;
    set(function.by_caller, site_word_by_caller);
    const auto word = std::find(words_.begin(), words_.end(), found.kind);
    return flags | static_cast<unsigned>(word - words_.begin() + 1) << site_word_shift;
}

}  // namespace freehold
