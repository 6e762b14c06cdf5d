// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/line/limited_source_options.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/line/limited_source_options.hpp>
