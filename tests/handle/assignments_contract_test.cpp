// SPDX-License-Identifier: BSL-1.0
#include "contracts/assignments.hpp"
#include "handle/strategies.hpp"

#include <cstddef>
#include <memory>

#include <gtest/gtest.h>

namespace freehold::contracts::assignments_contract_test {

template <class Derived>
using with_logged_count = intrusive_base<Derived, logged_count>;

using handles = testing::Types<
    shared<logged_count>, in_arcs<logged_count>, counted<logged_count, std::allocator<std::byte>>,
    intrusive_with<with_logged_count>, shared_local, shared_atomic, shared_biased, shared_sharded,
    arc_local, arc_atomic, arc_biased, arc_sharded, simple_counted, simple_counted_atomic,
    simple_counted_biased, intrusive, intrusive_atomic, intrusive_by_functions, linked, cyclic>;
INSTANTIATE_TYPED_TEST_SUITE_P(handles, assignment, handles);

}  // namespace freehold::contracts::assignments_contract_test
