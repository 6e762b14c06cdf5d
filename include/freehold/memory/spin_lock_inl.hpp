// SPDX-License-Identifier: BSL-1.0
// The slow path of spin_lock.
#pragma once

#include <freehold/memory/spin_lock.hpp>
#include <freehold/platform/thread.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

void yield_processor() noexcept {
    yield_to_others();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
