// SPDX-License-Identifier: BSL-1.0
// The waiting of threads that met at one word.
#include <freehold/detail/contention_pause_inl.hpp>

#include "core.hpp"
