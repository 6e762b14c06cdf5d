// SPDX-License-Identifier: BSL-1.0
// What memory resources promise that several threads may use at once.
#pragma once

#include "contracts/memory_resource.hpp"

#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Subject>
class shared_memory_resource_contract : public memory_resource_contract<Subject> {};

TYPED_TEST_SUITE_P(shared_memory_resource_contract);

TYPED_TEST_P(shared_memory_resource_contract, takes_back_on_any_of_threads_that_come_and_go) {
    constexpr int threads = 4, generations = 5, steps = 1500;
    std::mutex mutex;
    std::vector<piece> in_transit;
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<piece> mine;
        for (int step = 0; step < steps; ++step) {
            if (mine.empty() || random() % 2 == 0) {
                mine.push_back(random_piece(this->resource(), random));
            } else {
                give_back(this->resource(), mine.back());
                mine.pop_back();
            }
            if (random() % 64 == 0) {
                const std::lock_guard lock(mutex);
                mine.swap(in_transit);
            }
        }
        for (const piece& each : mine) give_back(this->resource(), each);
    };
    for (unsigned generation = 0; generation < generations; ++generation) {
        std::vector<std::thread> workers;
        for (unsigned t = 0; t < threads; ++t) workers.emplace_back(work, generation * threads + t);
        for (std::thread& thread : workers) thread.join();
    }
    for (const piece& each : in_transit) give_back(this->resource(), each);
}

REGISTER_TYPED_TEST_SUITE_P(shared_memory_resource_contract,
                            takes_back_on_any_of_threads_that_come_and_go);

}  // namespace freehold::contracts
