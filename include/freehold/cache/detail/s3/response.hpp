// SPDX-License-Identifier: BSL-1.0
// A server's response to one request: the status, the headers that matter, and the text of an
// error. libcurl passes the header lines one by one. A new status line discards an earlier
// response, such as 100 Continue or a proxy's.
#pragma once

#include <freehold/cache/detail/s3/credentials.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_response {
public:
    void take_header(std::string_view line) {
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
        if (is(name, "etag")) entity_tag = value;
        if (is(name, "date")) date = value;
        if (is(name, "content-length")) length = number(value);
        if (is(name, "content-range")) take_range(value);
    }

    // Adds the start of an error's body; the rest is dropped.
    void take_error(std::string_view text) {
        constexpr std::size_t enough = 4096;
        error.append(text.substr(0, enough - std::min(enough, error.size())));
    }

    // Returns the text of this element of the error's XML, or an empty view.
    [[nodiscard]] std::string_view error_element(std::string_view name) const noexcept {
        const std::string_view text = error;
        for (std::size_t at = text.find(name); at != std::string_view::npos;
             at = text.find(name, at + 1)) {
            const std::size_t begin = at + name.size();
            if (at == 0 || text[at - 1] != '<' || begin >= text.size() || text[begin] != '>') {
                continue;
            }
            const std::size_t end = text.find('<', begin);
            if (end == std::string_view::npos) return {};
            return text.substr(begin + 1, end - begin - 1);
        }
        return {};
    }

    // "503 Slow Down: SlowDown: Please reduce your request rate"
    [[nodiscard]] std::string text() const {
        std::string all = status_text;
        for (const char* const element : {"Code", "Message"}) {
            const std::string_view value = error_element(element);
            if (!value.empty()) all += ": " + std::string(value);
        }
        return all;
    }

    [[nodiscard]] bool is_success() const noexcept { return status / 100 == 2; }

    int status = 0;           // 0 before a response
    std::string status_text;  // "404 Not Found"
    std::string entity_tag;
    std::string date;                     // of the server's clock
    std::optional<std::uint64_t> length;  // of the body
    std::optional<std::uint64_t> first;   // the offset of a partial body
    std::optional<std::uint64_t> object_size;
    std::string error;

private:
    static std::optional<std::uint64_t> number(std::string_view text) noexcept {
        std::uint64_t value = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure != std::errc() || end == text.data()) return std::nullopt;
        return value;
    }

    static bool is(std::string_view name, std::string_view lower_case) noexcept {
        const auto same = [](char a, char b) {
            return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
        };
        return std::equal(name.begin(), name.end(), lower_case.begin(), lower_case.end(), same);
    }

    // "bytes 0-99/1234", or "bytes */1234" in a refusal
    void take_range(std::string_view value) noexcept {
        const std::size_t slash = value.find('/');
        const std::size_t dash = value.find('-');
        if (slash != std::string_view::npos) object_size = number(value.substr(slash + 1));
        if (dash == std::string_view::npos || !value.starts_with("bytes ")) return;
        first = number(value.substr(value.find(' ') + 1));
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
