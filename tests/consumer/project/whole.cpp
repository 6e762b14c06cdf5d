// SPDX-License-Identifier: BSL-1.0
// The whole library in one include: all that it includes is there.
#include <freehold/freehold.hpp>
