// SPDX-License-Identifier: BSL-1.0
// The s3_options, completed from the environment, validated, and prepared for requests; and the
// counters. Throws std::invalid_argument with advice. Several threads may use it at once.
#pragma once

#include <freehold/cache/detail/event_counter.hpp>
#include <freehold/cache/s3_options.hpp>
#include <freehold/config.hpp>

#include "line/s3/credentials.hpp"
#include "line/s3/retry_budget.hpp"

#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// As AWS signs it: every byte except letters, digits, "-._~" and the slash becomes %XX.
std::string percent_encoded(std::string_view text);

class s3_service {
public:
    explicit s3_service(s3_options asked);

    std::string address() const;
    std::string path_of(std::string_view object) const;

    s3_statistics statistics() const noexcept;

    const s3_options options;
    const s3_credentials credentials;
    std::string server;     // protocol, host and port
    std::string host;       // as in the header
    std::string path;       // of the bucket, with a final slash
    bool is_local = false;  // no proxy is used for this machine

    mutable event_counter requests;
    mutable event_counter retries;
    mutable event_counter bytes;
    mutable event_counter retries_refused;
    mutable s3_retry_budget retry_budget{options.retry_budget};

private:
    static s3_options found(s3_options options);

    // The message repeats nothing that may be secret.
    void check_headers() const;

    static void check(const s3_options& options);
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
