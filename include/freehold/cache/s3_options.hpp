// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/line/s3_options.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/line/s3_options.hpp>
