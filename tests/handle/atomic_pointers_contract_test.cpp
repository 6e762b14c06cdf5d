// SPDX-License-Identifier: BSL-1.0
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>

#include "contracts/atomic_pointers.hpp"
#include "handle/atomic_kinds.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::atomic_pointers_contract_test {

using kinds = testing::Types<arc_in_atomic<atomic_count>, arc_in_atomic<biased_count>,
                             arc_in_atomic<sharded_count>, shared_in_atomic<sharded_count>,
                             arc_of_allocator_in_atomic, shared_in_atomic<atomic_count>,
                             shared_in_atomic<biased_count>, acquired_in_std_atomic>;
INSTANTIATE_TYPED_TEST_SUITE_P(all, atomic_pointer, kinds);

}  // namespace freehold::contracts::atomic_pointers_contract_test
