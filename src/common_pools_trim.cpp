// SPDX-License-Identifier: BSL-1.0
// What few programs ask of common pools: their capacity, and their free memory.
#include <freehold/memory/detail/common_pool_trim_inl.hpp>

#include "core.hpp"
