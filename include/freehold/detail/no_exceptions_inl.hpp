// SPDX-License-Identifier: BSL-1.0
// What units that disable exceptions call in place of throwing.
#pragma once

#include <freehold/detail/terminate.hpp>

#include <cstdio>
#include <exception>

namespace freehold::inline FREEHOLD_ABI::detail {

void terminate_instead_of_throwing(const char* exception, const char* what) noexcept {
    std::fprintf(stderr, "freehold: compiled without exceptions, it cannot throw %s: %s\n",
                 exception, what);
    std::terminate();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
