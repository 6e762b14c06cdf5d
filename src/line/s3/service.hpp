// SPDX-License-Identifier: BSL-1.0
// The s3_options, completed from the environment and the profile, validated, and prepared for
// requests; the credentials; and the counters. Throws std::invalid_argument with advice. Several
// threads may use it at once.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/event_counter.hpp"
#include "line/s3/bucket_address.hpp"
#include "line/s3/credentials.hpp"
#include "line/s3/profiles.hpp"
#include "line/s3/retry_budget.hpp"

#include <memory>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_service {
public:
    explicit s3_service(s3_options asked);

    // Where requests go now; a redirect changes it.
    std::shared_ptr<const bucket_address> address() const;
    // Remembers where a redirect led.
    void move_to(bucket_address address) const;

    s3_statistics statistics() const noexcept;

private:
    const aws_environment environment_ = aws_environment::of_process();

public:
    const s3_options options;
    mutable s3_credentials_in_use credentials;

    mutable event_counter requests;
    mutable event_counter retries;
    mutable event_counter bytes;
    mutable event_counter retries_refused;
    mutable s3_retry_budget retry_budget{options.retry_budget};

private:
    s3_options found(s3_options asked) const;
    static void check(const s3_options& options);
    s3_credentials_in_use::settings credentials_settings() const;

    mutable std::mutex mutex_;  // guards address_
    mutable std::shared_ptr<const bucket_address> address_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
