// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/buffer/buffer_cache_options.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/buffer/buffer_cache_options.hpp>
