// SPDX-License-Identifier: BSL-1.0
// Every policy that a buffer_cache can have.
#pragma once

#include <freehold/cache/policies/buckets.hpp>
#include <freehold/cache/policies/greedy_dual_fit.hpp>
#include <freehold/cache/policies/keep_first_below.hpp>
#include <freehold/cache/policies/keep_largest.hpp>
#include <freehold/cache/policies/peers/bytebufferpool.hpp>
#include <freehold/cache/policies/peers/dotnet_array_pool.hpp>
#include <freehold/cache/policies/peers/jemalloc_tcache.hpp>
#include <freehold/cache/policies/peers/jetty.hpp>
#include <freehold/cache/policies/peers/netty.hpp>
