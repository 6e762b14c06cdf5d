// SPDX-License-Identifier: BSL-1.0
// The locks that the headers' own code uses.
#include <freehold/detail/backoff_lock.hpp>
#include <freehold/detail/spin_lock.hpp>

#include "contracts/lock.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts {
namespace {

using locks = testing::Types<detail::spin_lock, detail::backoff_lock>;
INSTANTIATE_TYPED_TEST_SUITE_P(locks, lock_contract, locks);
INSTANTIATE_TYPED_TEST_SUITE_P(locks, sleeping_lock_contract, detail::backoff_lock);

}  // namespace
}  // namespace freehold::contracts
