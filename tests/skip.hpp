// SPDX-License-Identifier: BSL-1.0
// Tests that this machine or this build cannot run.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace freehold::tests {

/// Whether FREEHOLD_REQUIRE in the environment demands this feature. It is a list of words: `all`,
/// features, and features with a minus sign, which `all` does not include.
inline bool is_required(std::string_view feature) {
    const char* const list = std::getenv("FREEHOLD_REQUIRE");
    std::istringstream words(list != nullptr ? list : "");
    bool required = false;
    for (std::string word; words >> word;) {
        if (word == feature || word == "all") required = true;
        if (word.front() == '-' && std::string_view(word).substr(1) == feature) return false;
    }
    return required;
}

/// Skips the current test, because this machine lacks a feature; fails it if the feature is
/// required. The caller returns: `if (!has_x()) return skip_without("x", "x is not installed");`.
/// The file that FREEHOLD_SKIPPED in the environment names, if any, gets a line for each skip.
inline void skip_without(std::string_view feature, std::string_view reason) {
    if (is_required(feature)) {
        GTEST_FAIL() << "FREEHOLD_REQUIRE demands " << feature << ": " << reason;
    }
    if (const char* const path = std::getenv("FREEHOLD_SKIPPED")) {
        if (std::FILE* const log = std::fopen(path, "a")) {
            std::fprintf(log, "%.*s: %.*s\n", static_cast<int>(feature.size()), feature.data(),
                         static_cast<int>(reason.size()), reason.data());
            std::fclose(log);
        }
    }
    GTEST_SKIP() << feature << ": " << reason;
}

/// Skips the current test, because it says nothing in this build (of this sanitizer, of this type).
inline void does_not_apply(std::string_view reason) {
    GTEST_SKIP() << reason;
}

}  // namespace freehold::tests
