// SPDX-License-Identifier: BSL-1.0
#include "contracts/handles_in_containers.hpp"

#include "handle/strategies.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::handles_in_containers_test {

// One of each handle: what a count does with the same operations, the contracts of owners show.
using strategies = testing::Types<shared_atomic, arc_biased, simple_counted, special_counted_atomic,
                                  intrusive_atomic, linked, cyclic>;
INSTANTIATE_TYPED_TEST_SUITE_P(handles, handles_in_containers, strategies);

}  // namespace freehold::contracts::handles_in_containers_test
