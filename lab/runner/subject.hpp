// SPDX-License-Identifier: BSL-1.0
// What the lab measures. A subject has one display name, from which its key follows, and one
// family.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#ifdef FREEHOLD_LAB_FULL
#define LAB_ONLY_IN_FULL(how_to_install) how_to_install
#else
#define LAB_ONLY_IN_FULL(how_to_install) "not in the default scope: run `scripts/report --full`"
#endif

namespace lab {

enum class family {
    lower_bound,
    strategy,
    atomic_strategy,
    freehold,
    policy,
    other_policy,
    standard,
    boost,
    allocator,
    other
};

struct family_name {
    std::string_view key;
    std::string_view name;
};

/// The names are in the order of `family`.
inline constexpr std::array<family_name, 10> family_names = {
    {{"lower_bound", "Lower bounds"},
     {"strategy", "Strategies of 2000"},
     {"atomic_strategy", "The same, atomic"},
     {"freehold", "Freehold"},
     {"policy", "Policies of 2006"},
     {"other_policy", "Policies of other libraries"},
     {"standard", "Standard"},
     {"boost", "Boost"},
     {"allocator", "Allocators"},
     {"other", "Others"}}};

/// The library that a subject comes from.
struct origin {
    std::string_view name;
    std::string_view version;
    std::string_view missing;  ///< why it cannot be measured here, or empty
};

/// A subject's identity, which its file defines.
struct identity {
    std::string_view name;
    lab::family family;
    int order = 0;                  ///< within its family; equal numbers are sorted by name
    bool folded = false;            ///< shown in the page only on demand
    bool single = false;            ///< also measured in process `single`
    bool threads = false;           ///< a handle that the suite `threads` measures
    const origin* from = nullptr;   ///< its library, if the library has a version
    std::string_view missing = {};  ///< why it cannot be measured here, or empty

    [[nodiscard]] constexpr std::string_view why_missing() const {
        return missing.empty() && from != nullptr ? from->missing : missing;
    }
};

/// The key of a display name: lower case; "::", ", ", ": " and "(" become "."; ")" is dropped; a
/// blank becomes "_"; a "." at the front is dropped.
std::string key_of(std::string_view name);

/// A subject as `describe` lists it.
struct subject {
    std::string key;
    std::string name;
    lab::family family = family::other;
    int order = 0;
    bool folded = false;
    bool single = false;
    std::string version = {};
    std::string origin = {};
    std::string missing = {};

    bool operator==(const subject&) const = default;
};

/// Returns the subject of an identity, with `prefix` before its name.
subject subject_of(const identity& is, std::string_view prefix = {});

template <class Subject>
constexpr bool installed = Subject::is.why_missing().empty();

}  // namespace lab
