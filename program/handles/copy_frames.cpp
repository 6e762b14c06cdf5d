// SPDX-License-Identifier: BSL-1.0
#include "handles/copy_frames.hpp"

#include "code/known_handles.hpp"
#include "handles/attribution.hpp"

#include <algorithm>

namespace freehold {

template <class Test>
bool copy_frames::has_any(const Test& test) const {
    const auto count = static_cast<std::ptrdiff_t>(std::min(user_frame_, frames_.size()));
    return std::any_of(frames_.begin(), frames_.begin() + count,
                       [&test](const code_frame& each) { return test(each.function); });
}

bool copy_frames::is_assignment() const {
    return has_any([](const code_function& each) {
        return without_arguments(each.name).ends_with("::operator=");
    });
}

bool copy_frames::is_made_for_call() const {
    return has_any([](const code_function& each) {
        const std::string name = without_arguments(each.name);
        return name.find("__invoke") != std::string::npos || name.ends_with("::_M_invoke") ||
               name.ends_with("::function::operator()") || name == "std::apply";
    });
}

bool copy_frames::is_made_by_library() const {
    if (user_frame_ == 0 || user_frame_ >= frames_.size()) return false;
    const code_function& called = frames_[user_frame_ - 1].function;
    return !called.implicit && !called.is_copy && names_.is_library(called) &&
           !names_.names_pointee(called);
}

std::string copy_frames::library_function() const {
    std::string result;
    for (std::size_t i = std::min(user_frame_, frames_.size()); i-- > 0;) {
        const code_function& each = frames_[i].function;
        if (each.implicit || each.is_copy || each.name.find("::~") != std::string::npos ||
            !names_.is_library(each) || names_.names_pointee(each))
            break;
        result = each.name;
    }
    return result;
}

bool copy_frames::is_from_list() const {
    return has_any([](const code_function& each) { return each.takes_list; });
}

bool copy_frames::makes_list() const {
    return user_frame_ < frames_.size() && code_map::makes_list(frames_[user_frame_]);
}

bool copy_frames::is_of_range() const {
    if (user_frame_ == 0 || user_frame_ >= frames_.size()) return false;
    const std::string& called = frames_[user_frame_ - 1].function.name;
    if (!called.ends_with('>')) return false;
    std::size_t arguments = called.size();
    for (int open = 0; arguments-- > 0;) {
        if (called[arguments] == '>') ++open;
        if (called[arguments] == '<' && --open == 0) break;
    }
    return called.find("iterator<", arguments) != std::string::npos || called.ends_with("*>");
}

bool copy_frames::is_in_lambda() const {
    return has_any([](const code_function& each) {
        return each.implicit && each.name.find("<lambda") != std::string::npos;
    });
}

bool copy_frames::converts() const {
    return has_any([this](const code_function& each) {
        return each.name.ends_with('>') &&
               (names_.names_pointee(each) ||
                without_arguments(each.name).ends_with("_pointer_cast"));
    });
}

std::string copy_frames::function_of_handle() const {
    if (user_frame_ == 0 || user_frame_ > frames_.size()) return {};
    const code_function& called = frames_[user_frame_ - 1].function;
    return names_.names_pointee(called) ? called.name : std::string();
}

/// Returns the class whose copy the function is, if it is no handle. A lambda has no name to tell.
std::string copy_frames::copied_class(const code_function& copies) const {
    if (copies.name.find("<lambda") != std::string::npos || names_.names_pointee(copies)) return {};
    return class_of_copy(copies);
}

std::string copy_frames::holder() const {
    if (user_frame_ == 0 || user_frame_ >= frames_.size()) return {};
    if (std::string called = copied_class(frames_[user_frame_ - 1].function); !called.empty())
        return called;
    if (!is_made_by_library()) return {};
    for (std::size_t i = user_frame_ - 1; i-- > 0;) {
        const code_function& each = frames_[i].function;
        if (names_.is_library(each)) continue;
        if (std::string passed = copied_class(each); !passed.empty()) return passed;
    }
    return {};
}

bool declares_handle(classifier& names, const code_frame& frame) {
    const std::vector<std::string> classes = code_map::declared_at(frame);
    return std::any_of(classes.begin(), classes.end(),
                       [&names](const std::string& each) { return names.names_pointee({each}); });
}

}  // namespace freehold
