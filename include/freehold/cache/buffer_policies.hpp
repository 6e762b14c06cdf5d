// SPDX-License-Identifier: BSL-1.0
// All policies of buffer_cache. Each is documented in its own header, and `freehold advise`
// compares them for a recorded program. Those in namespace peers reproduce other projects' pools
// for comparison.
#pragma once

#include <freehold/cache/policies/geometric_buckets.hpp>
#include <freehold/cache/policies/greedy_dual_fit.hpp>
#include <freehold/cache/policies/keep_first_below.hpp>
#include <freehold/cache/policies/keep_largest.hpp>
#include <freehold/cache/policies/linear_buckets.hpp>
#include <freehold/cache/policies/peers/bytebufferpool.hpp>
#include <freehold/cache/policies/peers/dotnet_array_pool.hpp>
#include <freehold/cache/policies/peers/jemalloc_tcache.hpp>
#include <freehold/cache/policies/peers/jetty.hpp>
#include <freehold/cache/policies/peers/netty.hpp>
#include <freehold/cache/policies/power_of_two_buckets.hpp>
