// SPDX-License-Identifier: BSL-1.0
// The slow path of pools of large blocks, which hand them out in order.
#include <freehold/memory/detail/ordered_refill_inl.hpp>

#include "core.hpp"
