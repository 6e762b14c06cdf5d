// SPDX-License-Identifier: BSL-1.0
// Where an s3_source finds its objects, as whom it asks for them, and how long it insists.
#pragma once

#include <freehold/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct s3_credentials {
    std::string access_key;
    std::string secret_key;
    std::string session_token;  // of temporary credentials, else empty
};

struct s3_options {
    // "http://HOST:PORT" or "https://HOST". Empty: $AWS_ENDPOINT_URL_S3, else $AWS_ENDPOINT_URL,
    // else Amazon's own of the region.
    std::string endpoint = {};
    // Empty: $AWS_REGION, else $AWS_DEFAULT_REGION, else us-east-1.
    std::string region = {};
    std::string bucket = {};
    bool path_style = true;  // ENDPOINT/BUCKET/OBJECT; false: BUCKET.ENDPOINT/OBJECT
    // None: $AWS_ACCESS_KEY_ID, $AWS_SECRET_ACCESS_KEY and $AWS_SESSION_TOKEN, else the profile
    // $AWS_PROFILE, or "default", of $AWS_SHARED_CREDENTIALS_FILE, or ~/.aws/credentials.
    std::optional<s3_credentials> credentials = {};
    std::string certificates =
        {};  // a file of trusted ones. Empty: $AWS_CA_BUNDLE, else libcurl's own

    // What is asked for again after a failure that may pass, in all: server errors, slow-down,
    // broken connections, time-outs. Before the nth attempt it waits for a random time up to
    // 2^(n-2) times the first delay, or the longest.
    unsigned attempts = 5;
    std::chrono::milliseconds first_delay{100};
    std::chrono::milliseconds longest_delay{5000};
    std::chrono::milliseconds connect_timeout{5000};
    // A request is given up that brings fewer than `least_bytes` in any such period.
    std::chrono::milliseconds patience{10000};
    std::uint64_t least_bytes = 4096;

    std::size_t receive_buffer = std::size_t{512} << 10;  // of each connection, while it receives
    unsigned connections = 16;  // at most, for what was started; each fetch has one besides
};

struct s3_statistics {
    std::uint64_t requests = 0;  // sent, each attempt counted
    std::uint64_t retries = 0;   // attempts after the first
    std::uint64_t bytes = 0;     // of objects, received
};

}  // namespace freehold::inline FREEHOLD_ABI
