// SPDX-License-Identifier: BSL-1.0
#include "line/s3/response.hpp"

#include "line/s3/json.hpp"
#include "line/s3/profiles.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace freehold::inline FREEHOLD_ABI::detail {

void s3_response::take_header(std::string_view line) {
    if (line.starts_with("HTTP/")) {
        *this = s3_response();
        const std::size_t space = line.find(' ');
        if (space != std::string_view::npos) {
            status_text = trimmed(line.substr(space));
            status = static_cast<int>(number(status_text).value_or(0));
        }
        return;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (is_in_any_case(name, "etag")) entity_tag = value;
    if (is_in_any_case(name, "date")) date = value;
    if (is_in_any_case(name, "location")) location = value;
    if (is_in_any_case(name, "x-amz-bucket-region")) bucket_region = value;
    if (is_in_any_case(name, "content-length")) length = number(value);
    if (is_in_any_case(name, "content-range")) take_range(value);
}

void s3_response::take_error(std::string_view text) {
    constexpr std::size_t enough = 4096;
    error.append(text.substr(0, enough - std::min(enough, error.size())));
}

std::string_view s3_response::error_element(std::string_view name) const noexcept {
    return xml_element(error, name);
}

std::string s3_response::text() const {
    std::string all = status_text;
    for (const char* const element : {"Code", "Message"}) {
        const std::string_view value = error_element(element);
        if (!value.empty()) all += ": " + std::string(value);
    }
    return all;
}

bool s3_response::is_success() const noexcept {
    return status / 100 == 2;
}

std::optional<std::uint64_t> s3_response::number(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end == text.data()) return std::nullopt;
    return value;
}

void s3_response::take_range(std::string_view value) noexcept {
    const std::size_t slash = value.find('/');
    const std::size_t dash = value.find('-');
    if (slash != std::string_view::npos) object_size = number(value.substr(slash + 1));
    if (dash == std::string_view::npos || !value.starts_with("bytes ")) return;
    first = number(value.substr(value.find(' ') + 1));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
