// SPDX-License-Identifier: BSL-1.0
// The numbers of managers, for an arc that becomes a shared_ptr.
#include <freehold/handle/detail/shared/manager_table_inl.hpp>

#include "core.hpp"
