// SPDX-License-Identifier: BSL-1.0
#include "contracts/memory_resource.hpp"
#include "contracts/memory_resource_subjects.hpp"

#include <memory_resource>

#include <gtest/gtest.h>

namespace freehold::contracts::pool_resource_contract_test {

INSTANTIATE_TYPED_TEST_SUITE_P(shared, memory_resource_contract, shared_memory_resources);

// std::pmr's resource for one thread, and pages of other options, which threads do not care for.
using other_memory_resources =
    testing::Types<subject_page_resource<huge_pages::never, false>,
                   subject_page_resource<huge_pages::transparent, false>,
                   subject_standard_pool<std::pmr::unsynchronized_pool_resource>>;
INSTANTIATE_TYPED_TEST_SUITE_P(other, memory_resource_contract, other_memory_resources);

}  // namespace freehold::contracts::pool_resource_contract_test
