// SPDX-License-Identifier: BSL-1.0
// The slow paths of atomic pointers.
#include <freehold/handle/detail/atomic/debt_platform_inl.hpp>
#include <freehold/handle/detail/atomic/notifications_inl.hpp>

#include "core.hpp"
