// SPDX-License-Identifier: BSL-1.0
// A server's response to one request: the status, the headers that matter, and the text of an
// error. libcurl passes the header lines one by one. A new status line discards an earlier
// response, such as 100 Continue or a proxy's.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_response {
public:
    void take_header(std::string_view line);

    // Adds the start of an error's body; the rest is dropped.
    void take_error(std::string_view text);

    // Returns the text of this element of the error's XML, or an empty view.
    [[nodiscard]] std::string_view error_element(std::string_view name) const noexcept;

    // "503 Slow Down: SlowDown: Please reduce your request rate"
    [[nodiscard]] std::string text() const;

    [[nodiscard]] bool is_success() const noexcept;

    int status = 0;           // 0 before a response
    std::string status_text;  // "404 Not Found"
    std::string entity_tag;
    std::string date;                     // of the server's clock
    std::string location;                 // of a redirect
    std::string bucket_region;            // if the server names it
    std::optional<std::uint64_t> length;  // of the body
    std::optional<std::uint64_t> first;   // the offset of a partial body
    std::optional<std::uint64_t> object_size;
    std::string error;

private:
    static std::optional<std::uint64_t> number(std::string_view text) noexcept;

    // "bytes 0-99/1234", or "bytes */1234" in a refusal
    void take_range(std::string_view value) noexcept;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
