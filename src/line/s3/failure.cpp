// SPDX-License-Identifier: BSL-1.0
#include "line/s3/failure.hpp"

#include <algorithm>
#include <ctime>
#include <new>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

s3_failure failure_of_change(const std::string& expected_tag, const std::string& current_tag) {
    std::string text = "its entity tag is no longer " + expected_tag;
    if (!current_tag.empty()) text += "; it is " + current_tag;
    return {source_failure::changed, text, false};
}

s3_failure failure_of_another_size() {
    return {source_failure::changed, "its size has changed", false};
}

s3_failure failure_of_connection(CURLcode outcome, const std::string& message,
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

std::string difference_of_clocks(const s3_response& response) {
    constexpr std::time_t tolerated = 5 * 60;
    const std::time_t server = curl_getdate(response.date.c_str(), nullptr);
    const std::time_t ours = std::time(nullptr);
    if (server == -1 || (ours - server <= tolerated && server - ours <= tolerated)) return {};
    return "; this machine's clock is " +
           std::to_string(std::max(ours, server) - std::min(ours, server)) + " s " +
           (ours > server ? "ahead of" : "behind") + " the server's";
}

bool calls_credentials_expired(const s3_response& response) noexcept {
    const std::string_view code = response.error_element("Code");
    return response.status / 100 == 4 &&
           (code == "ExpiredToken" || code == "TokenRefreshRequired" ||
            code == "ExpiredTokenException");
}

s3_failure failure_of_response(const s3_response& response, const bucket_address& address,
                               const s3_credentials& credentials, const std::string& expected_tag) {
    const std::string_view code = response.error_element("Code");
    const bool names_the_object = code.empty() || code == "NotFound" || code.starts_with("NoSuch");
    if (response.status == 404 && names_the_object) {
        return {source_failure::not_found, response.text(), false};
    }
    if (response.status == 401 || response.status == 403) {
        return {source_failure::refused,
                response.text() + " (asked as '" + credentials.access_key + "' in region " +
                    address.region + ")" + difference_of_clocks(response),
                false};
    }
    if (calls_credentials_expired(response)) {
        return {source_failure::refused,
                response.text() + " (asked as '" + credentials.access_key +
                    "'): give credentials that are valid, or s3_options::credentials_provider",
                false};
    }
    if (response.status / 100 == 3) {
        std::string text = response.text();
        if (!response.bucket_region.empty()) text += "; its region is " + response.bucket_region;
        if (!response.location.empty()) {
            text += "; it redirects to " + response.location.substr(0, response.location.find('?'));
        }
        return {source_failure::answered_error,
                text + ", which is not followed: set the endpoint and the region in s3_options",
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
