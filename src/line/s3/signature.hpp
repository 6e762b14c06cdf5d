// SPDX-License-Identifier: BSL-1.0
// The signature of a request without a query: AWS Signature Version 4, in a header. libcurl's own
// cannot sign a path with ".." since 8.14, because it wants to simplify the path.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/sha256.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// As AWS signs it: every byte except letters, digits, "-._~" and the slash becomes %XX.
std::string percent_encoded(std::string_view text);

struct s3_signable {
    std::string_view method;
    std::string path;                            // as sent: percent-encoded once
    std::map<std::string, std::string> headers;  // all of them are signed; names in lower case
    std::string_view payload;  // "UNSIGNED-PAYLOAD", or the body's SHA-256 in hexadecimal
};

struct s3_scope {
    std::string time;  // as in the header x-amz-date
    std::string region;
    std::string service = "s3";

    [[nodiscard]] std::string text() const;
};

// "20130524T000000Z"
std::string s3_time(std::chrono::system_clock::time_point when);

// Without blanks at the ends, and with one instead of several.
std::string with_single_blanks(std::string_view text);

// The names of the signed headers.
std::string s3_signed_names(const s3_signable& request);

// What the signature is of: the empty line is the query's.
std::string s3_canonical(const s3_signable& request);

// The value of the header Authorization.
std::string s3_authorization(const s3_signable& request, const s3_scope& scope,
                             const s3_credentials& credentials);

}  // namespace freehold::inline FREEHOLD_ABI::detail
