// SPDX-License-Identifier: BSL-1.0
// What units that disable exceptions call in place of throwing.
#include <freehold/detail/no_exceptions_inl.hpp>

#include "core.hpp"
