// SPDX-License-Identifier: BSL-1.0
// Every policy that a buffer_cache can have.
#pragma once

#include <freehold/cache/policies/geometric_buckets.hpp>
#include <freehold/cache/policies/keep_first_below.hpp>
#include <freehold/cache/policies/keep_largest.hpp>
#include <freehold/cache/policies/linear_buckets.hpp>
#include <freehold/cache/policies/power_of_two_buckets.hpp>
