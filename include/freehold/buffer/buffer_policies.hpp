// SPDX-License-Identifier: BSL-1.0
// All policies of buffer_cache. Each is documented in its own header, and `freehold advise`
// compares them for a recorded program.
#pragma once

#include <freehold/buffer/policies/geometric_buckets.hpp>
#include <freehold/buffer/policies/greedy_dual_fit.hpp>
#include <freehold/buffer/policies/keep_first_below.hpp>
#include <freehold/buffer/policies/keep_largest.hpp>
#include <freehold/buffer/policies/linear_buckets.hpp>
#include <freehold/buffer/policies/power_of_two_buckets.hpp>
