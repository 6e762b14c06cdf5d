// SPDX-License-Identifier: BSL-1.0
// The code that a piece of advice says to write, in the language of the handle.
#pragma once

#include "handles/handles_run.hpp"

#include <string>

namespace freehold {

[[nodiscard]] bool is_in_one_place(const counted_line& a, const counted_line& b);

/// Returns the code that replaces a copy and its release.
[[nodiscard]] std::string code_for_pair(const counted_line& copy, const counted_line& release,
                                        bool is_weak);
/// Likewise, if the copy has another type than its original.
[[nodiscard]] std::string code_for_conversion(const counted_line& copy);
/// Likewise, if the copy is assigned to a handle.
[[nodiscard]] std::string code_for_assignment(const counted_line& copy, bool is_weak);
/// Likewise, if a function of the library makes the copy and keeps it; `in_lambda`: that of a
/// lambda.
[[nodiscard]] std::string code_for_moved_argument(const counted_line& copy, bool in_lambda);
/// Likewise, if a lambda captures the copy.
[[nodiscard]] std::string code_for_capture(const counted_line& copy);
/// Likewise, if a function of the library copies the elements of a range.
[[nodiscard]] std::string code_for_range(const counted_line& copy);
/// Likewise, if the copy is an element of a `std::initializer_list`.
[[nodiscard]] std::string code_for_list(const counted_line& copy);
/// Likewise, if the library makes the copy where it calls a function.
[[nodiscard]] std::string code_for_call(const counted_line& copy, bool is_weak, bool is_converted);
[[nodiscard]] std::string code_for_lock(const counted_line& lock);
/// Returns false if the handles copy their pointee before they change it.
[[nodiscard]] bool has_unique_handle(const type_total& type);
[[nodiscard]] std::string code_for_one_owner(const type_total& type);
[[nodiscard]] bool has_local_count(const type_total& type);
[[nodiscard]] std::string code_for_local_count(const type_total& type);
[[nodiscard]] bool has_biased_count(const type_total& type);
[[nodiscard]] std::string code_for_biased_count(const type_total& type);
[[nodiscard]] std::string code_for_making_together(const counted_line& maker);

}  // namespace freehold
