// SPDX-License-Identifier: BSL-1.0
// What the endpoints that give out credentials are told, and answer: JSON, elements of XML, and
// times.
#pragma once

#include <freehold/config.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the strings, numbers and words of a JSON object by their names; those of an object inside
// it by "OUTER.INNER". Arrays are left out. Returns nothing if the text is not one valid object.
std::optional<std::map<std::string, std::string>> json_fields(std::string_view text);

// Returns a JSON object of these strings.
std::string json_text(const std::map<std::string, std::string>& fields);

// Returns a decimal number, if the text is nothing else.
std::optional<std::int64_t> integer_of(std::string_view text) noexcept;

// Returns the text of the first element of this name, or an empty view. Entities stay as they are.
std::string_view xml_element(std::string_view text, std::string_view name) noexcept;

// "2026-11-28T07:05:00Z", with a fraction of a second or "+01:00" instead of "Z" if wanted.
std::optional<std::chrono::system_clock::time_point> instant_of(std::string_view text) noexcept;

// "2026-11-28T07:05:00Z"
std::string text_of_instant(std::chrono::system_clock::time_point when);

}  // namespace freehold::inline FREEHOLD_ABI::detail
