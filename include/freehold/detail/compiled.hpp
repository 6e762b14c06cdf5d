// SPDX-License-Identifier: BSL-1.0
// Included by the headers of what is compiled, and has no form by headers alone.
#pragma once

#include <freehold/config.hpp>

#if FREEHOLD_HEADER_ONLY
#error \
    "freehold's caches are compiled: link freehold::buffer or freehold::line (pkg-config freehold-buffer, freehold-line)"
#endif
