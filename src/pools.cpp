// SPDX-License-Identifier: BSL-1.0
// The slow paths of pools that programs make.
#include <freehold/memory/detail/pool_inl.hpp>

#include "core.hpp"
