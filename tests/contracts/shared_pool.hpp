// SPDX-License-Identifier: BSL-1.0
// What every pool promises to several threads.
#pragma once

#include "contracts/pool.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Subject>
class shared_pool_contract : public pool_contract<Subject> {};

TYPED_TEST_SUITE_P(shared_pool_contract);

TYPED_TEST_P(shared_pool_contract, takes_back_on_any_of_threads_that_come_and_go) {
    constexpr unsigned threads = 4, generations = 5;
    std::mutex mutex;
    std::vector<void*> in_transit;
    const auto exchange = [&](std::vector<void*>& mine) {
        const std::lock_guard lock(mutex);
        mine.swap(in_transit);
    };
    const std::size_t share = std::clamp<std::size_t>(this->plenty() / (threads + 1), 1, 150);
    for (unsigned generation = 0; generation < generations; ++generation) {
        std::vector<std::thread> workers;
        for (unsigned t = 0; t < threads; ++t) {
            workers.emplace_back([&, seed = generation * threads + t] {
                this->pool_.deallocate_bulk(
                    use_at_random(this->pool_, seed, 1000, share, exchange));
            });
        }
        for (std::thread& thread : workers) thread.join();
        expect_conserved(this->pool_, in_transit.size());
        // Nobody is left to have any.
        EXPECT_EQ(this->pool_.statistics().cached, 0U);
    }
    this->pool_.deallocate_bulk(in_transit);
}

REGISTER_TYPED_TEST_SUITE_P(shared_pool_contract, takes_back_on_any_of_threads_that_come_and_go);

}  // namespace freehold::contracts
