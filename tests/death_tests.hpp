// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <gtest/gtest.h>

namespace freehold::tests {

/// From now on, death tests of this test run in new processes, not in forked ones: these have only
/// the thread that forked.
inline void run_death_tests_in_new_processes() {
#ifdef GTEST_FLAG_SET
    GTEST_FLAG_SET(death_test_style, "threadsafe");
#else  // before GoogleTest 1.12
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
#endif
}

}  // namespace freehold::tests
