// SPDX-License-Identifier: BSL-1.0
// A global operator new that counts what is allocated and fails when told, for one test executable.
#pragma once

#include <new>

#include <gtest/gtest.h>

namespace freehold::tests {

// From here on the k-th allocation of this thread fails (1 is the next); 0 lets all succeed.
void fail_allocation(long k) noexcept;

// Whether that allocation has been reached.
[[nodiscard]] bool has_failed() noexcept;

// Allocations of this thread that were not yet given back.
[[nodiscard]] long live_allocations() noexcept;

// Runs the scenario with its first, second, ... allocation failing, until one run needs no more or
// a test has failed; says how many there were. `alive` is the number of objects that are to be none
// after each run.
template <class Scenario>
int fail_at_each_allocation(Scenario scenario, const int& alive) {
    for (int k = 1;; ++k) {
        const long live_before = live_allocations();
        fail_allocation(k);
        bool threw = false;
        try {
            scenario();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        const bool failed = has_failed();
        fail_allocation(0);
        EXPECT_EQ(threw, failed) << "allocation " << k << " failed in silence";
        EXPECT_EQ(alive, 0) << "an object was lost when allocation " << k << " failed";
        EXPECT_EQ(live_allocations(), live_before)
            << "memory was lost when allocation " << k << " failed";
        if (!failed || testing::Test::HasFailure()) return k - 1;
    }
}

}  // namespace freehold::tests
