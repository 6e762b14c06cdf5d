// SPDX-License-Identifier: BSL-1.0
#include "contracts/pool.hpp"
#include "contracts/pool_subjects.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::pool_contract_test {

INSTANTIATE_TYPED_TEST_SUITE_P(of_all_kinds, pool_contract, pools_of_all_kinds);

}  // namespace freehold::contracts::pool_contract_test
