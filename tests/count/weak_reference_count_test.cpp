// SPDX-License-Identifier: BSL-1.0
#include "contracts/weak_reference_count.hpp"

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/sharded_count.hpp>

#include "count/bias_in_tests.hpp"
#include "count/shards_in_tests.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts::weak_reference_count_test {

using counts =
    testing::Types<local_count::with_weak, atomic_count::with_weak, biased_count::with_weak,
                   tests::shared_at_once, tests::revoked_at_once, sharded_count::with_weak,
                   tests::gathered_at_once_with_weak>;
INSTANTIATE_TYPED_TEST_SUITE_P(counts, weak_reference_count_contract, counts);

static_assert(sizeof(local_count::with_weak) == 8);
static_assert(sizeof(atomic_count::with_weak) == 16);
static_assert(sizeof(biased_count::with_weak) == 16);
static_assert(sizeof(sharded_count::with_weak) == 16);

template <class Count>
class a_count_that_begins_alike : public testing::Test {};

using counts_that_begin_alike =
    testing::Types<local_count::with_weak, atomic_count::with_weak, sharded_count::with_weak>;
TYPED_TEST_SUITE(a_count_that_begins_alike, counts_that_begin_alike);

TYPED_TEST(a_count_that_begins_alike, begins_with_the_bytes_it_says) {
    using bytes = std::array<std::byte, sizeof(TypeParam::as_new)>;
    alignas(TypeParam) bytes place{};
    ::new (static_cast<void*>(place.data())) TypeParam(std::in_place_type<int>);
    bytes said;
    std::memcpy(said.data(), &TypeParam::as_new, said.size());
    EXPECT_EQ(place, said);
}

}  // namespace freehold::contracts::weak_reference_count_test
