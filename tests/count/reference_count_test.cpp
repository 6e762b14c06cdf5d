// SPDX-License-Identifier: BSL-1.0
#include "contracts/reference_count.hpp"

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/sharded_count.hpp>

#include "count/bias_in_tests.hpp"
#include "count/shards_in_tests.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::reference_count_test {

using counts = testing::Types<local_count, atomic_count, biased_count, tests::biased_to_maker<int>,
                              sharded_count, tests::gathered_at_once>;
INSTANTIATE_TYPED_TEST_SUITE_P(counts, reference_count_contract, counts);

static_assert(atomic_count::is_thread_safe && biased_count::is_thread_safe &&
              sharded_count::is_thread_safe && !local_count::is_thread_safe);
static_assert(!reference_count<int>);

}  // namespace freehold::contracts::reference_count_test
