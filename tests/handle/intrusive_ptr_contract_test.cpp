// SPDX-License-Identifier: BSL-1.0
#include "contracts/owning_handle.hpp"
#include "contracts/owning_handles_together.hpp"
#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::intrusive_ptr_contract_test {

using intrusive_strategies =
    testing::Types<intrusive, intrusive_atomic, intrusive_sharded, intrusive_by_functions>;
INSTANTIATE_TYPED_TEST_SUITE_P(intrusive_ptr, owning_handle, intrusive_strategies);
INSTANTIATE_TYPED_TEST_SUITE_P(intrusive_ptr, owning_handles_together, intrusive_strategies);

}  // namespace freehold::contracts::intrusive_ptr_contract_test
