// SPDX-License-Identifier: BSL-1.0
// SHA-1, by which AWS's tools name the files of SSO's tokens. It protects nothing.
#pragma once

#include <freehold/config.hpp>

#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// In hexadecimal.
std::string sha1_of(std::string_view text);

}  // namespace freehold::inline FREEHOLD_ABI::detail
