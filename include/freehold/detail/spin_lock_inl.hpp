// SPDX-License-Identifier: BSL-1.0
// The slow path of spin_lock.
#pragma once

#include <freehold/detail/platform/thread.hpp>
#include <freehold/detail/spin_lock.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

void yield_processor() noexcept {
    yield_to_others();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
