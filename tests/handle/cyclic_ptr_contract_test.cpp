// SPDX-License-Identifier: BSL-1.0
#include "contracts/owning_handle.hpp"
#include "contracts/owning_handles_together.hpp"
#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::cyclic_ptr_contract_test {

INSTANTIATE_TYPED_TEST_SUITE_P(cyclic_ptr, owning_handle, cyclic);
INSTANTIATE_TYPED_TEST_SUITE_P(cyclic_ptr, owning_handles_together, cyclic);

}  // namespace freehold::contracts::cyclic_ptr_contract_test
