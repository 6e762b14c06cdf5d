// SPDX-License-Identifier: BSL-1.0
// Why an attempt at a read failed, and whether a retry may succeed: libcurl's and the server's
// errors as source_failure.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include "line/s3/bucket_address.hpp"
#include "line/s3/curl.hpp"
#include "line/s3/response.hpp"

#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

struct s3_failure {
    source_failure reason;
    std::string text;
    bool is_transient;
};

// `current_tag` is empty if it is unknown.
s3_failure failure_of_change(const std::string& expected_tag, const std::string& current_tag);

s3_failure failure_of_another_size();

// `message` is libcurl's own, and may be empty. Throws std::bad_alloc if that is the failure.
s3_failure failure_of_connection(CURLcode outcome, const std::string& message,
                                 const s3_options& options);

// A difference between the clocks for which a server may refuse a signature, or nothing.
std::string difference_of_clocks(const s3_response& response);

// For a response that is not a success.
s3_failure failure_of_response(const s3_response& response, const bucket_address& address,
                               const s3_credentials& credentials, const std::string& expected_tag);

// Whether the server calls the credentials expired. A HEAD's response has no text that says so.
bool calls_credentials_expired(const s3_response& response) noexcept;

}  // namespace freehold::inline FREEHOLD_ABI::detail
