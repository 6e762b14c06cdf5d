// SPDX-License-Identifier: BSL-1.0
#include "line/s3/service.hpp"

#include "line/s3/providers.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

// The message repeats nothing that may be secret.
void check_given(const s3_credentials& credentials) {
    if (has_blank(credentials.access_key) || has_blank(credentials.session_token)) {
        throw std::invalid_argument(
            "s3_source: the access key or the session token has a blank or a line end, which no "
            "header can carry");
    }
}

}  // namespace

s3_service::s3_service(s3_options asked)
    : options(found(std::move(asked))),
      credentials(credentials_settings()),
      address_(std::make_shared<const bucket_address>(bucket_address_of(options))) {}

std::shared_ptr<const bucket_address> s3_service::address() const {
    const std::lock_guard lock(mutex_);
    return address_;
}

void s3_service::move_to(bucket_address address) const {
    auto next = std::make_shared<const bucket_address>(std::move(address));
    const std::lock_guard lock(mutex_);
    address_ = std::move(next);
}

s3_statistics s3_service::statistics() const noexcept {
    return {requests.read(), retries.read(), bytes.read(), retries_refused.read()};
}

s3_credentials_in_use::settings s3_service::credentials_settings() const {
    if (options.credentials) {
        check_given(*options.credentials);
        return {nullptr, options.credentials};
    }
    if (options.credentials_provider) {
        return {[hook = options.credentials_provider](const std::atomic<bool>&) {
            s3_credentials got = hook();
            check_credentials(got, "s3_options::credentials_provider");
            return got;
        }};
    }
    const credentials_origin origin = find_credentials(environment_);
    const std::atomic<bool> never{false};
    std::optional<s3_credentials> first;
    if (origin.is_at_hand) {
        first = origin.ask({environment_, options.certificates, never, {}});
        check_given(*first);
        if (!origin.may_change) return {nullptr, first};
    }
    // Each time anew, because files may have changed.
    return {[environment = environment_,
             certificates = options.certificates](const std::atomic<bool>& stop) {
                return find_credentials(environment)
                    .ask({environment, certificates, stop, std::chrono::system_clock::now()});
            },
            first};
}

s3_options s3_service::found(s3_options asked) const {
    if (asked.region.empty()) {
        asked.region = value_in_use(environment_, {"AWS_REGION", "AWS_DEFAULT_REGION"}, "region");
    }
    if (asked.region.empty()) asked.region = "us-east-1";
    if (asked.endpoint.empty()) {
        asked.endpoint = configured_endpoint(environment_, "s3");
    }
    if (asked.endpoint.empty()) asked.endpoint = amazon_endpoint("s3", asked.region);
    while (asked.endpoint.ends_with('/')) asked.endpoint.pop_back();
    if (asked.certificates.empty()) {
        asked.certificates = environment_.value({"AWS_CA_BUNDLE"});
    }
    check(asked);
    return asked;
}

void s3_service::check(const s3_options& options) {
    const std::string_view endpoint = options.endpoint;
    if (!endpoint.starts_with("http://") && !endpoint.starts_with("https://")) {
        throw std::invalid_argument("s3_source: endpoint '" + options.endpoint +
                                    "' has no protocol: start it with http:// or https://");
    }
    if (endpoint.find_first_of("?#@") != std::string_view::npos) {
        // The message does not repeat it, because it may contain a password.
        throw std::invalid_argument(
            "s3_source: the endpoint has a user, a query or a fragment: give "
            "http://HOST[:PORT][/PATH] or the same with https");
    }
    if (has_blank(options.region)) {
        throw std::invalid_argument("s3_source: the region has a blank or a line end");
    }
    if (options.bucket.empty() || options.bucket.find('/') != std::string::npos) {
        throw std::invalid_argument("s3_source: bucket '" + options.bucket +
                                    "': give the name of one bucket");
    }
    if (options.attempts == 0 || options.connections == 0) {
        throw std::invalid_argument("s3_source: attempts and connections must be at least 1");
    }
    if (options.patience.count() <= 0 || options.connect_timeout.count() <= 0 ||
        options.first_delay.count() < 0 || options.longest_delay < options.first_delay) {
        throw std::invalid_argument(
            "s3_source: patience and connect_timeout must be positive, first_delay must not be "
            "negative, and longest_delay must be at least first_delay");
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
