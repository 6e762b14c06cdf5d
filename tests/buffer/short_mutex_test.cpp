// SPDX-License-Identifier: BSL-1.0
// The mutex of a central cache.
#include "buffer/short_mutex.hpp"

#include "contracts/lock.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(short_mutex, lock_contract, detail::short_mutex);
INSTANTIATE_TYPED_TEST_SUITE_P(short_mutex, sleeping_lock_contract, detail::short_mutex);

}  // namespace
}  // namespace freehold::contracts
