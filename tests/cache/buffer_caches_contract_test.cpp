// SPDX-License-Identifier: BSL-1.0
#include "contracts/buffer_caches.hpp"
#include "contracts/buffer_policy_subjects.hpp"

namespace freehold::contracts {

INSTANTIATE_TYPED_TEST_SUITE_P(cache, buffer_caches, every_buffer_policy);

}  // namespace freehold::contracts
