// SPDX-License-Identifier: BSL-1.0
// Why an attempt at a read did not succeed, and whether another one may: what libcurl and the
// server said, in the terms of source_failure.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/s3/answer.hpp>
#include <freehold/cache/s3/curl.hpp>
#include <freehold/cache/s3/service.hpp>

#include <new>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

struct s3_problem {
    source_failure reason;
    std::string text;
    bool may_pass;
};

// Empty: its entity tag is not known.
inline s3_problem problem_of_change(const std::string& asked_for, const std::string& now) {
    std::string text = "its entity tag is not " + asked_for + " any more";
    if (!now.empty()) text += ", but " + now;
    return {source_failure::changed, text, false};
}

// libcurl's own message may be empty. Throws std::bad_alloc if that is what it is.
inline s3_problem problem_of_connection(CURLcode outcome, const std::string& message,
                                        const s3_options& options) {
    const std::string text = message.empty() ? curl_easy_strerror(outcome) : message;
    switch (outcome) {
        case CURLE_OUT_OF_MEMORY:
            throw std::bad_alloc();
        case CURLE_OPERATION_TIMEDOUT:
            if (!message.empty()) return {source_failure::timed_out, text, true};
            return {source_failure::timed_out,
                    "fewer than " + std::to_string(options.least_bytes) + " bytes came in " +
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

// Of an answer that is no success.
inline s3_problem problem_of_refusal(const s3_answer& answer, const s3_service& service,
                                     const std::string& asked_for) {
    const std::string_view code = answer.error_element("Code");
    const bool names_the_object = code.empty() || code == "NotFound" || code.starts_with("NoSuch");
    if (answer.status == 404 && names_the_object) {
        return {source_failure::not_found, answer.text(), false};
    }
    if (answer.status == 401 || answer.status == 403) {
        return {source_failure::refused,
                answer.text() + " (asked as '" + service.credentials.access_key + "' in region " +
                    service.options.region + ")",
                false};
    }
    if (answer.status == 412) return problem_of_change(asked_for, "");
    if (answer.status == 416) return {source_failure::past_the_end, answer.text(), false};
    const bool may_pass = answer.status >= 500 || answer.status == 429 || answer.status == 408 ||
                          code == "RequestTimeout" || code == "SlowDown";
    return {source_failure::answered_error, answer.text(), may_pass};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
