// SPDX-License-Identifier: BSL-1.0
// A profile with a login of IAM Identity Center (SSO): the login's token gets the keys of a role
// from the portal.
#pragma once

#include <freehold/config.hpp>

#include "line/s3/profiles.hpp"
#include "line/s3/providers.hpp"

#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

credentials_origin of_sso_login(const aws_environment& environment, const aws_profiles& all,
                                const std::string& profile, const aws_settings& own);

}  // namespace freehold::inline FREEHOLD_ABI::detail
