// SPDX-License-Identifier: BSL-1.0
#include "contracts/owning_handle.hpp"
#include "contracts/owning_handles_together.hpp"
#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::counted_ptr_contract_test {

using counted_strategies =
    testing::Types<simple_counted, simple_counted_atomic, simple_counted_biased, special_counted,
                   special_counted_atomic>;
INSTANTIATE_TYPED_TEST_SUITE_P(counted_ptr, owning_handle, counted_strategies);
INSTANTIATE_TYPED_TEST_SUITE_P(counted_ptr, owning_handles_together, counted_strategies);

}  // namespace freehold::contracts::counted_ptr_contract_test
