// SPDX-License-Identifier: BSL-1.0
// Identities of subjects that have more than one adapter.
#pragma once

#include "runner/subject.hpp"

#include <memory>
#include <string_view>

namespace lab::identities {

inline constexpr identity new_and_delete = {
    .name = "new and delete", .family = family::lower_bound, .order = 6, .single = true};

/// Adds to a word in memory and subtracts again, atomically, as a count does.
inline constexpr identity locked_pair = {
    .name = "locked pair", .family = family::lower_bound, .order = 4};

/// Every suite also measures this: the work without the handle, pool or cache.
inline constexpr identity lower_bound = {
    .name = "lower bound", .family = family::lower_bound, .order = 8};

inline constexpr identity freehold_pool = {
    .name = "freehold::pool", .family = family::freehold, .order = 12};

inline constexpr identity std_shared_ptr_new = {
    .name = "std::shared_ptr(new)", .family = family::standard, .order = 6, .single = true};

inline constexpr identity std_make_shared_constructor = {
    .name = "std::make_shared, constructor", .family = family::standard, .order = 8};

/// Why std's functions whose names end with `_for_overwrite` cannot be measured here, or empty.
#if defined(__cpp_lib_smart_ptr_for_overwrite)
inline constexpr std::string_view why_no_for_overwrite = {};
#else
inline constexpr std::string_view why_no_for_overwrite =
    "this version of the standard library does not have it";
#endif

inline constexpr identity std_make_shared_for_overwrite = {.name = "std::make_shared_for_overwrite",
                                                           .family = family::standard,
                                                           .order = 13,
                                                           .missing = why_no_for_overwrite};

}  // namespace lab::identities
