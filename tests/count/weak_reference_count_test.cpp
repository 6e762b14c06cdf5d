// SPDX-License-Identifier: BSL-1.0
#include "contracts/weak_reference_count.hpp"

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>

#include "count/bias_in_tests.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts {

using counts =
    testing::Types<local_count::with_weak, atomic_count::with_weak, biased_count::with_weak,
                   tests::shared_at_once, tests::revoked_at_once>;
INSTANTIATE_TYPED_TEST_SUITE_P(counts, weak_reference_count_contract, counts);

static_assert(sizeof(local_count::with_weak) == 8);
static_assert(sizeof(atomic_count::with_weak) == 16);
static_assert(sizeof(biased_count::with_weak) == 16);

}  // namespace freehold::contracts
