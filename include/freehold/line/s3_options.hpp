// SPDX-License-Identifier: BSL-1.0
// What it is: where an s3_source finds its objects, which credentials it uses, and how it retries;
// and what it counts.
// Example: `freehold::s3_options{.region = "eu-central-1", .bucket = "tables"}`
//
// Units: as each member says.
// Complexity, thread safety: plain structs; credentials_provider is called by one thread at a time.
// Exceptions: copies may throw std::bad_alloc.
// Ownership: none.
// Source: the environment variables and the files of AWS's own tools (the AWS SDKs and Tools
// Reference Guide).
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>
#include <freehold/detail/function.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

// An access key of S3.
struct s3_credentials {
    // The key's name and its secret.
    std::string access_key;
    std::string secret_key;
    std::string session_token = {};  // for temporary credentials, else empty
    // For a credentials_provider: when they expire.
    std::optional<std::chrono::system_clock::time_point> expires = {};
};

struct s3_options {
    // "http://HOST:PORT" or "https://HOST". If empty: $AWS_ENDPOINT_URL_S3, else $AWS_ENDPOINT_URL,
    // else endpoint_url of the profile's services, else of the profile, else Amazon's own endpoint
    // of the region.
    std::string endpoint = {};
    // If empty: $AWS_REGION, else $AWS_DEFAULT_REGION, else that of the profile, else us-east-1. A
    // server that names another region is asked again there.
    std::string region = {};
    // The bucket's name. Required.
    std::string bucket = {};
    bool path_style = true;  // ENDPOINT/BUCKET/OBJECT; false: BUCKET.ENDPOINT/OBJECT
    // If none: credentials_provider, else what AWS's own tools take, in their order: the
    // environment; a web identity (IRSA); the profile $AWS_PROFILE or "default" with its keys,
    // role, SSO login or credential_process; the container (ECS, EKS); the instance (EC2).
    std::optional<s3_credentials> credentials = {};
    // Called before the first read, before the credentials expire, and when a server calls them
    // expired; on a thread of the source, one call at a time. Reads wait for it only while there
    // are no valid credentials. If it throws, they fail with its message. The source's destructor
    // waits for a call that is under way.
    std::function<s3_credentials()> credentials_provider = {};
    // A file of trusted certificates. If empty: $AWS_CA_BUNDLE, else libcurl's own.
    std::string certificates = {};

    // The most attempts at one read. Server errors, slow-down, broken connections and time-outs are
    // retried. The wait before attempt n is random, up to first_delay * 2^(n-2), and at most
    // longest_delay. A request that follows a redirect or a renewal of credentials belongs to
    // the same attempt.
    unsigned attempts = 5;
    std::chrono::milliseconds first_delay{100};
    std::chrono::milliseconds longest_delay{5000};
    // The most retries of all reads together that the source sends before a read succeeds. Each
    // read that succeeds at its first attempt returns a fifth of a retry to this budget, and each
    // read that succeeds after retries returns one. When it is used up, reads fail without a retry.
    unsigned retry_budget = 100;
    // The longest time that a connection may take to open.
    std::chrono::milliseconds connect_timeout{5000};
    // The stall time-out: a request that receives fewer than `least_bytes` in this time fails.
    std::chrono::milliseconds patience{10000};
    std::uint64_t least_bytes = 4096;

    // Bytes for each connection, while it receives.
    std::size_t receive_buffer = std::size_t{512} << 10;
    unsigned connections = 16;  // the most at once for started reads; each fetch has one more
};

// What an s3_source has done so far.
struct s3_statistics {
    std::uint64_t requests = 0;         // sent, also those that follow a redirect
    std::uint64_t retries = 0;          // attempts after the first
    std::uint64_t bytes = 0;            // of objects, received
    std::uint64_t retries_refused = 0;  // because the retry budget was used up
};

}  // namespace freehold::inline FREEHOLD_ABI
