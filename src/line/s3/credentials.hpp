// SPDX-License-Identifier: BSL-1.0
// Finds credentials as AWS's own tools do: in the environment, then in the profile file. Throws
// std::invalid_argument with advice if there are none. Reads the environment, so no other thread
// may change it at the same time.
#pragma once

#include <freehold/cache/s3_options.hpp>
#include <freehold/config.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the first of these variables that is not empty, or an empty string.
std::string environment_value(std::initializer_list<const char*> names);

std::string_view trimmed(std::string_view text) noexcept;

// Returns the profile's credentials from a file of "[profile]" and "key = value" lines, if both
// keys are there.
std::optional<s3_credentials> profile_credentials(const std::string& file,
                                                  std::string_view profile);

s3_credentials find_credentials();

}  // namespace freehold::inline FREEHOLD_ABI::detail
