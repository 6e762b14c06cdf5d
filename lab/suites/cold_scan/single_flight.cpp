// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/single_flight.hpp"

#include "suites/cold_scan/cache_over_s3.hpp"

#include <chrono>
#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace lab::cold_scan {
namespace {

/// The time within which the server logs a request after the answer.
constexpr std::chrono::milliseconds to_be_written_down{200};

std::size_t reads_by_now(const object_store& store, cache_over_s3& cache) {
    const auto answered = store.reads_of(0);
    return answered ? *answered : cache.source().statistics().requests;
}

}  // namespace

std::size_t requests_of_readers(const object_store& store, std::size_t readers) {
    cache_over_s3 cache(store, 2);
    const std::size_t before = reads_by_now(store, cache);
    std::latch start(static_cast<std::ptrdiff_t>(readers));
    std::mutex mutex;
    std::exception_ptr failure;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < readers; ++i) {
        threads.emplace_back([&] {
            start.arrive_and_wait();
            try {
                const freehold::line line = cache.get().get(cache.object(0), 0);
                if (sum_of_prices(line.bytes()) == 0) throw std::runtime_error("an empty line");
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
            }
        });
    }
    for (std::thread& each : threads) each.join();
    if (failure != nullptr) std::rethrow_exception(failure);
    std::this_thread::sleep_for(to_be_written_down);
    return reads_by_now(store, cache) - before;
}

}  // namespace lab::cold_scan
