// SPDX-License-Identifier: BSL-1.0
// Where credentials come from if the user gives none: the chain of AWS's own tools, in this order.
// The first link that is configured is used, and its failure is not hidden by a later one.
//
// | link | is configured by | asks |
// |---|---|---|
// | environment | AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY | nobody |
// | web identity (IRSA) | AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN | STS |
// | profile | AWS_PROFILE or "default", in two files | see below |
// | container (ECS, EKS) | AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, ..._FULL_URI | that address |
// | instance (EC2) | unless AWS_EC2_METADATA_DISABLED=true | IMDSv2 |
//
// A profile has, in this order, a role (of a web identity, or of another profile or link), a login
// of IAM Identity Center (SSO), keys, or a process.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/profiles.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// What a link needs to ask.
struct credentials_request {
    const aws_environment& environment;
    std::string certificates;       // a file, or empty
    const std::atomic<bool>& stop;  // the answer is no longer wanted
    std::chrono::system_clock::time_point now;
    // In place of the address of ECS, and of what a process and a refresh may take, for tests.
    std::string container_server = "http://169.254.170.2";
    std::chrono::milliseconds longest_process{60000};
    std::chrono::milliseconds longest_refresh{10000};
};

struct credentials_origin {
    std::string name;  // as messages call it
    // Nobody has to be asked: `ask` returns at once.
    bool is_at_hand = false;
    // They may be others if they are asked for again.
    bool may_change = true;
    // Throws std::runtime_error with advice, whose message has no secret.
    std::function<s3_credentials(const credentials_request&)> ask;
};

// Contacts nobody. Throws std::invalid_argument with advice if no link is configured, or one
// wrongly.
credentials_origin find_credentials(const aws_environment& environment);

// Throws std::runtime_error if the credentials cannot be sent; the message repeats nothing of them.
void check_credentials(const s3_credentials& credentials, const std::string& origin);

// "https://SERVICE.REGION.amazonaws.com", with the domain of China's regions where it is one.
std::string amazon_endpoint(const std::string& service, const std::string& region);

// The endpoint that is configured for a service, else Amazon's own, whose name starts with `host`.
// It does not end with a slash.
std::string endpoint_of(const aws_environment& environment, std::string_view service,
                        const std::string& host, const std::string& region);

}  // namespace freehold::inline FREEHOLD_ABI::detail
