// SPDX-License-Identifier: BSL-1.0
// Why an attempt at a read failed, and whether a retry may succeed: libcurl's and the server's
// errors as source_failure.
#pragma once

#include <freehold/cache/detail/s3/curl.hpp>
#include <freehold/cache/detail/s3/response.hpp>
#include <freehold/cache/detail/s3/service.hpp>
#include <freehold/cache/line_source.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <ctime>
#include <new>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

struct s3_failure {
    source_failure reason;
    std::string text;
    bool is_transient;
};

// `current_tag` is empty if it is unknown.
inline s3_failure failure_of_change(const std::string& expected_tag,
                                    const std::string& current_tag) {
    std::string text = "its entity tag is no longer " + expected_tag;
    if (!current_tag.empty()) text += "; it is " + current_tag;
    return {source_failure::changed, text, false};
}

// `message` is libcurl's own, and may be empty. Throws std::bad_alloc if that is the failure.
inline s3_failure failure_of_connection(CURLcode outcome, const std::string& message,
                                        const s3_options& options) {
    const std::string text = message.empty() ? curl_easy_strerror(outcome) : message;
    switch (outcome) {
        case CURLE_OUT_OF_MEMORY:
            throw std::bad_alloc();
        case CURLE_OPERATION_TIMEDOUT:
            if (!message.empty()) return {source_failure::timed_out, text, true};
            return {source_failure::timed_out,
                    "fewer than " + std::to_string(options.least_bytes) + " bytes arrived in " +
                        std::to_string(options.patience.count()) + " ms",
                    true};
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_NOT_BUILT_IN:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
            return {source_failure::unreachable, text, false};
        default:
            return {source_failure::unreachable, text, true};
    }
}

// A difference between the clocks for which a server may refuse a signature, or nothing.
inline std::string difference_of_clocks(const s3_response& response) {
    constexpr std::time_t tolerated = 5 * 60;
    const std::time_t server = curl_getdate(response.date.c_str(), nullptr);
    const std::time_t ours = std::time(nullptr);
    if (server == -1 || (ours - server <= tolerated && server - ours <= tolerated)) return {};
    return "; this machine's clock is " +
           std::to_string(std::max(ours, server) - std::min(ours, server)) + " s " +
           (ours > server ? "ahead of" : "behind") + " the server's";
}

// For a response that is not a success.
inline s3_failure failure_of_response(const s3_response& response, const s3_service& service,
                                      const std::string& expected_tag) {
    const std::string_view code = response.error_element("Code");
    const bool names_the_object = code.empty() || code == "NotFound" || code.starts_with("NoSuch");
    if (response.status == 404 && names_the_object) {
        return {source_failure::not_found, response.text(), false};
    }
    if (response.status == 401 || response.status == 403) {
        return {source_failure::refused,
                response.text() + " (asked as '" + service.credentials.access_key + "' in region " +
                    service.options.region + ")" + difference_of_clocks(response),
                false};
    }
    if (response.status == 412) return failure_of_change(expected_tag, "");
    if (response.status == 416) return {source_failure::past_the_end, response.text(), false};
    const bool is_transient = response.status >= 500 || response.status == 429 ||
                              response.status == 408 || code == "RequestTimeout" ||
                              code == "SlowDown";
    return {source_failure::answered_error, response.text(), is_transient};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
