// SPDX-License-Identifier: BSL-1.0
#include "line/s3/service.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size() + 16);
    for (const char c : text) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
        const auto byte = static_cast<unsigned char>(c);
        if (kept) {
            encoded += c;
        } else {
            encoded += {'%', digits[byte / 16], digits[byte % 16]};
        }
    }
    return encoded;
}

s3_service::s3_service(s3_options asked)
    : options(found(std::move(asked))),
      credentials(options.credentials ? *options.credentials : find_credentials()) {
    check_headers();
    const std::size_t begin = options.endpoint.find("://") + 3;
    const std::size_t end = std::min(options.endpoint.find('/', begin), options.endpoint.size());
    const std::string protocol = options.endpoint.substr(0, begin);
    std::string name = options.endpoint.substr(begin, end - begin);
    is_local =
        name.starts_with("127.") || name.starts_with("localhost") || name.starts_with("[::1]");
    path = options.endpoint.substr(end) + "/";
    if (options.path_style) {
        path += options.bucket + "/";
    } else {
        name = options.bucket + "." + name;
    }
    server = protocol + name;
    const std::string_view default_port = protocol == "http://" ? ":80" : ":443";
    host = name.substr(0, name.size() - (name.ends_with(default_port) ? default_port.size() : 0));
}

std::string s3_service::address() const {
    return server + path;
}

std::string s3_service::path_of(std::string_view object) const {
    return path + percent_encoded(object);
}

s3_statistics s3_service::statistics() const noexcept {
    return {requests.read(), retries.read(), bytes.read(), retries_refused.read()};
}

s3_options s3_service::found(s3_options options) {
    if (options.region.empty()) {
        options.region = environment_value({"AWS_REGION", "AWS_DEFAULT_REGION"});
    }
    if (options.region.empty()) options.region = "us-east-1";
    if (options.endpoint.empty()) {
        options.endpoint = environment_value({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
    }
    if (options.endpoint.empty()) {
        options.endpoint = "https://s3." + options.region + ".amazonaws.com";
    }
    while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
    if (options.certificates.empty()) {
        options.certificates = environment_value({"AWS_CA_BUNDLE"});
    }
    check(options);
    return options;
}

void s3_service::check_headers() const {
    for (const std::string_view text :
         {std::string_view(options.region), std::string_view(credentials.access_key),
          std::string_view(credentials.session_token)}) {
        if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c <= ' '; })) {
            throw std::invalid_argument(
                "s3_source: the region, the access key or the session token has a blank or a "
                "line end, which no header can carry");
        }
    }
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
