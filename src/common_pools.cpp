// SPDX-License-Identifier: BSL-1.0
// The common pools, which supply the blocks of all handles.
#include <freehold/memory/detail/common_pool_inl.hpp>
#include <freehold/memory/detail/thread_cache_inl.hpp>

#include "core.hpp"
