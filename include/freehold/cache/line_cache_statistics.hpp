// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/line/line_cache_statistics.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/line/line_cache_statistics.hpp>
