// SPDX-License-Identifier: BSL-1.0
// The atomics that counts are made of. The counts take them as a policy, so that a model checker
// can put its own in their place and run the very code that is shipped.
#pragma once

#include <freehold/config.hpp>

#include <atomic>

namespace freehold::inline FREEHOLD_ABI::detail {

struct standard_atomics {
    template <class T>
    using atomic = std::atomic<T>;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
