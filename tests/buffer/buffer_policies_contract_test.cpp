// SPDX-License-Identifier: BSL-1.0
#include "contracts/buffer_policies.hpp"
#include "contracts/buffer_policy_subjects.hpp"

namespace freehold::contracts::buffer_policies_contract_test {

INSTANTIATE_TYPED_TEST_SUITE_P(cache, buffer_policies, every_buffer_policy);

}  // namespace freehold::contracts::buffer_policies_contract_test
