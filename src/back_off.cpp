// SPDX-License-Identifier: BSL-1.0
// The waiting of threads that met at one word.
#include <freehold/detail/back_off_inl.hpp>

#include "core.hpp"
