// SPDX-License-Identifier: BSL-1.0
// The token of an SSO login. `aws sso login` writes it into a file, with what refreshes it if the
// profile names an sso_session.
//
// | the token | the refresh | if that fails |
// |---|---|---|
// | is valid for 15 minutes or more | is not tried | |
// | is valid | is tried once | the token is used, and nothing is tried for 30 seconds |
// | has expired | is tried up to three times | so does the ask, and for 30 seconds all others |
//
// If nobody answered for an expired token, the next ask tries again at once. What needs a login is
// not tried at all: a token without refresh token, and an expired registration.
//
// Of all processes and threads with one file, one refreshes at a time: it has a lock on the file.
// AWS's tools take no lock. So a valid token that appears in the file meanwhile is taken, whatever
// became of the refresh. The file is replaced as a whole. A process that cannot write it remembers
// the token, until the file changes. Thread-safe.
#pragma once

#include <freehold/config.hpp>

#include "line/s3/providers.hpp"

#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

struct sso_login {
    std::string name;    // as messages call it
    std::string advice;  // how to log in, at the end of messages
    std::string file;    // of the token
    std::string region;
    std::string start_url;
    bool has_session = false;  // of the profile; others cannot be refreshed
};

// Throws std::runtime_error with the advice if there is none; the message has no secret.
std::string valid_sso_token(const sso_login& login, const credentials_request& request);

}  // namespace freehold::inline FREEHOLD_ABI::detail
