// SPDX-License-Identifier: BSL-1.0
#include "contracts/owning_handle.hpp"
#include "contracts/owning_handles_together.hpp"
#include "contracts/weak_handle.hpp"
#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::shared_ptr_contract_test {

using shared_strategies =
    testing::Types<shared_atomic, shared_local, shared_biased, shared_sharded>;
INSTANTIATE_TYPED_TEST_SUITE_P(shared_ptr, owning_handle, shared_strategies);
INSTANTIATE_TYPED_TEST_SUITE_P(shared_ptr, owning_handles_together, shared_strategies);
INSTANTIATE_TYPED_TEST_SUITE_P(shared_ptr, weak_handle, shared_strategies);

using arc_strategies = testing::Types<arc_atomic, arc_local, arc_biased, arc_sharded>;
INSTANTIATE_TYPED_TEST_SUITE_P(arc, weak_handle, arc_strategies);

}  // namespace freehold::contracts::shared_ptr_contract_test
