// SPDX-License-Identifier: BSL-1.0
#include "handles/attribution.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

/// Returns the index of the user's frame. If none is known, it is that of code that the compiler
/// wrote for a class outside the handles' libraries.
std::size_t shown_frame(classifier& names, const std::vector<code_frame>& frames,
                        std::size_t user_frame) {
    if (user_frame < frames.size()) return user_frame;
    const auto implicit = std::find_if(frames.begin(), frames.end(), [&](const code_frame& each) {
        return each.function.implicit && !each.file.empty() && !names.is_library(each.function);
    });
    return static_cast<std::size_t>(implicit - frames.begin());
}

}  // namespace

std::string class_of_copy(const code_function& copies) {
    const std::size_t end =
        copies.implicit || copies.is_copy ? copies.name.rfind("::") : std::string::npos;
    if (end == std::string::npos || copies.name.compare(end, 3, "::~") == 0) return {};
    return copies.name.substr(0, end);
}

void name_one_of(counted_line& line, const std::set<std::string>& types) {
    if (types.empty()) return;
    line.pointee = types.size() == 1 ? *types.begin() + " or another type"
                                     : fmt::format("one of {}", fmt::join(types, ", "));
    line.is_merged = true;
}

attribution attribute(classifier& names, const std::vector<code_frame>& frames,
                      const std::string& module) {
    attribution result;
    function_chain chain;
    for (const code_frame& each : frames) chain.push_back(&each.function);
    result.what = names.classify(chain);
    result.shown = frames.size();
    if (result.what) {
        result.line.handle = text_of(*result.what->handle, *result.what->kind);
        result.line.pointee = result.what->pointee;
        result.shown = shown_frame(names, frames, result.what->user_frame);
    }
    if (result.shown < frames.size()) {
        const code_frame& user = frames[result.shown];
        // All instances of a template have the same lines.
        result.line.function = without_arguments(user.function.name);
        result.line.file = user.file;
        result.line.is_merged = !user.function.merged.empty();
        result.line.line = user.line;
        if (result.shown != 0) {
            const std::string copied = class_of_copy(frames[result.shown - 1].function);
            if (!copied.empty()) result.line.lambdas = code_map::captured_at(user, copied);
            if (!result.line.lambdas.empty()) result.line.line = result.line.lambdas.front();
        }
    } else {
        result.line.function = module;
    }
    return result;
}

}  // namespace freehold
