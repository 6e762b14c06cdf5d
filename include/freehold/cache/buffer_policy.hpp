// SPDX-License-Identifier: BSL-1.0
// Moved: include <freehold/buffer/buffer_policy.hpp>. Version 0.3 lacks this path.
#pragma once

#include <freehold/buffer/buffer_policy.hpp>
