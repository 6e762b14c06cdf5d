// SPDX-License-Identifier: BSL-1.0
// Where requests for a bucket are sent, and how they are signed; and where a server's redirect
// leads. A redirect is followed only to the service's own hosts, because the request is signed with
// the user's credentials.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/response.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

struct bucket_address {
    std::string server;     // protocol, host and port
    std::string host;       // as in the header
    std::string path;       // of the bucket, with a final slash
    std::string region;     // as it is signed
    bool is_local = false;  // no proxy is used for this machine

    bool operator==(const bucket_address&) const = default;
};

// The options must be complete and valid.
bucket_address bucket_address_of(const s3_options& options);

// Returns where the same request belongs according to this response, or nothing: if it is no
// redirect, leads nowhere else, or to a host that is not the service's own. `object` is
// percent-encoded.
std::optional<bucket_address> redirected(const bucket_address& from, const s3_options& options,
                                         const s3_response& response, std::string_view object);

}  // namespace freehold::inline FREEHOLD_ABI::detail
