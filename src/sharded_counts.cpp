// SPDX-License-Identifier: BSL-1.0
// The memory of the shards of sharded counts.
#include <freehold/count/detail/shard_platform_inl.hpp>

#include "core.hpp"
