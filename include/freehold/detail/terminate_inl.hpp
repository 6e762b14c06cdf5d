// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/detail/terminate.hpp>

#include <cstdio>
#include <exception>

namespace freehold::inline FREEHOLD_ABI::detail {

void terminate_with(const char* message) noexcept {
    std::fprintf(stderr, "freehold: %s\n", message);
    std::terminate();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
