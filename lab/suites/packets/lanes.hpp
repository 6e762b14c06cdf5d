// SPDX-License-Identifier: BSL-1.0
// Producers and consumers in pairs, and the rings between them.
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

/// The number of packets that each producer sends in a batch. It is so large that the cost of
/// filling the ring at the start and emptying it at the end is negligible.
constexpr std::size_t packets_per_batch = 16384;
constexpr std::size_t steps_per_batch = packets_per_batch / burst;

/// The places of each ring. A producer has one ring in a single pair, and two rings if there are
/// several pairs.
constexpr std::size_t places_of_a_ring = 1024;

/// The number of blocks for all packets in rings and in the threads' hands. More than the same
/// number again is left for caches.
constexpr std::size_t capacity_of(std::size_t pairs) {
    return pairs * 8 * places_of_a_ring;
}

/// The number of pairs that fills this machine, but at least two.
inline std::size_t several_pairs() {
    return std::max<std::size_t>(2, std::thread::hardware_concurrency() / 2);
}

/// At each step a producer puts one burst and a consumer takes one. A single producer sends to its
/// consumer. Several producers send alternately to their own consumer and to the next one. So
/// blocks move between pairs, and every consumer gives back those of two producers. A thread waits
/// only for a thread that is at an earlier step, so at least one thread can always continue.
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

/// Measures pairs of Workers that share one source. Each is made by Worker(source, lanes of T,
/// number in the group).
template <class Worker, class Source, class T>
void measure_pairs(kernel_state& state, std::size_t pairs) {
    settle_heap();
    Source source(capacity_of(pairs));
    lanes<T> way(pairs);
    measure_together(state, 2 * pairs,
                     [&](std::size_t number) { return Worker(source, way, number); });
}

}  // namespace lab::packets
