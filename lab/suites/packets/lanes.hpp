// SPDX-License-Identifier: BSL-1.0
// Producers and consumers, in pairs, and the rings between them.
#pragma once

#include "suites/common/burst_ring.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/thread_group.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/packets/source.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace lab::packets {

/// So many packets does each producer send in a batch: enough for what filling and emptying its
/// ring costs at the ends to vanish.
constexpr std::size_t packets_per_batch = 16384;
constexpr std::size_t steps_per_batch = packets_per_batch / burst;

/// Of each ring; of several producers each has two.
constexpr std::size_t places_of_a_ring = 1024;

/// Blocks for all that are on the way and in hand, and more than as many again to be cached.
constexpr std::size_t capacity_of(std::size_t pairs) {
    return pairs * 8 * places_of_a_ring;
}

/// As many as fill this machine, but at least two.
inline std::size_t several_pairs() {
    return std::max<std::size_t>(2, std::thread::hardware_concurrency() / 2);
}

/// At each step a producer puts one burst and a consumer takes one. A single producer sends to its
/// consumer; of several, each sends to its own consumer and to the next one's by turns, so that
/// blocks wander and every consumer gives back those of two producers. Each waits only for a thread
/// that is at an earlier step, so that there is always one that can go on.
template <class T>
class lanes {
public:
    explicit lanes(std::size_t pairs) : pairs_(pairs), fan_(std::min<std::size_t>(pairs, 2)) {
        const processors have = processors_of(2 * pairs);
        for (std::size_t i = 0; i < pairs * fan_; ++i) {
            rings_.push_back(std::make_unique<ring>(have));
        }
    }

    template <class Make>
    void put(std::size_t producer, std::size_t step, Make&& make) {
        rings_[producer * fan_ + step % fan_]->put(make);
    }

    template <class Use>
    void take(std::size_t consumer, std::size_t step, Use&& use) {
        const std::size_t turn = step % fan_;
        const std::size_t producer = (consumer + pairs_ - turn) % pairs_;
        rings_[producer * fan_ + turn]->take(use);
    }

private:
    using ring = burst_ring<T, burst, places_of_a_ring / burst>;

    const std::size_t pairs_;
    const std::size_t fan_;
    std::vector<std::unique_ptr<ring>> rings_;
};

/// Measures pairs of Workers, each made by Worker(source, lanes of T, number in the group), over
/// one source.
template <class Worker, class Source, class T>
void measure_pairs(kernel_state& state, std::size_t pairs) {
    settle_heap();
    Source source(capacity_of(pairs));
    lanes<T> way(pairs);
    thread_group(2 * pairs, [&](std::size_t number) {
        return Worker(source, way, number);
    }).measure(state);
}

}  // namespace lab::packets
