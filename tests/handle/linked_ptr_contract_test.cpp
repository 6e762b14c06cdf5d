// SPDX-License-Identifier: BSL-1.0
#include "contracts/owning_handle.hpp"
#include "contracts/owning_handles_together.hpp"
#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::linked_ptr_contract_test {

using linked_strategies = testing::Types<linked>;
INSTANTIATE_TYPED_TEST_SUITE_P(linked_ptr, owning_handle, linked_strategies);
INSTANTIATE_TYPED_TEST_SUITE_P(linked_ptr, owning_handles_together, linked_strategies);

}  // namespace freehold::contracts::linked_ptr_contract_test
