// SPDX-License-Identifier: BSL-1.0
// What all files of the core include.
#pragma once

#include <freehold/config.hpp>

#if FREEHOLD_HEADER_ONLY
#error "the core is compiled with FREEHOLD_HEADER_ONLY=0"
#endif
