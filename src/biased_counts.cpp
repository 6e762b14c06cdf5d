// SPDX-License-Identifier: BSL-1.0
// The bias of counts to a thread, and its end.
#include <freehold/count/detail/bias_platform_inl.hpp>

#include "core.hpp"
