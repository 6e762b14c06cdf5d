// SPDX-License-Identifier: BSL-1.0
// Pages from the system.
#include <freehold/memory/detail/pages_inl.hpp>

#include "core.hpp"
