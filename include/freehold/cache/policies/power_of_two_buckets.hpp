// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/buffer/policies/power_of_two_buckets.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/buffer/policies/power_of_two_buckets.hpp>
