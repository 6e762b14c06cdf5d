// SPDX-License-Identifier: BSL-1.0
// How the statistics of pools are printed.
#include <freehold/memory/detail/pool_statistics_inl.hpp>

#include "core.hpp"
