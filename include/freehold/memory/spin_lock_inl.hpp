// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/spin_lock.hpp>

#include <sched.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// Not std::this_thread::yield: <thread> takes a compiler a tenth of a second.
void yield_processor() noexcept {
    ::sched_yield();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
