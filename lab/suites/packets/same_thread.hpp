// SPDX-License-Identifier: BSL-1.0
// One thread takes blocks and gives them back. It never touches their bytes.
#pragma once

#include "suites/common/barrier.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/timing.hpp"
#include "suites/packets/source.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace lab::packets {

/// The number of packets that a thread takes and gives back between two readings of the clock.
constexpr std::size_t packets_per_reading = 8192;
constexpr std::size_t live_in_fifo = 1024;
constexpr std::size_t same_thread_capacity = 8192;

/// Times `round`, which takes and gives back `packets_per_reading`. The first round is not
/// measured; it warms up. Each round binds its source to a local variable. clang++ would otherwise
/// load the lambda's captured reference again after each barrier, which no user's loop does.
template <class Round>
void measure_rounds(kernel_state& state, Round&& round) {
    round();
    for ([[maybe_unused]] auto _ : state)
        state.set_iteration_time(undisturbed_seconds([] {}, round));
}

template <class Source>
class used_here {
public:
    Source source = Source(same_thread_capacity);

private:
    const enrolled<Source> here_{source, 0};
};

template <packet_source Source>
void same_thread_one(kernel_state& state) {
    settle_heap();
    used_here<Source> used;
    measure_rounds(state, [&] {
        Source& source = used.source;
        for (std::size_t i = 0; i < packets_per_reading; ++i) {
            void* const block = source.allocate();
            escape(block);
            source.deallocate(block);
        }
    });
}

template <packet_source Source>
void same_thread_burst(kernel_state& state) {
    settle_heap();
    used_here<Source> used;
    measure_rounds(state, [&] {
        Source& source = used.source;
        std::array<void*, burst> blocks;
        for (std::size_t i = 0; i < packets_per_reading; i += burst) {
            for (void*& block : blocks) {
                block = source.allocate();
                escape(block);
            }
            for (void* const block : blocks) {
                source.deallocate(block);
                barrier();
            }
        }
    });
}

template <packet_source Source>
void same_thread_bulk(kernel_state& state) {
    settle_heap();
    used_here<Source> used;
    measure_rounds(state, [&] {
        Source& source = used.source;
        std::array<void*, burst> blocks;
        for (std::size_t i = 0; i < packets_per_reading; i += burst) {
            source.allocate_bulk(blocks);
            escape(blocks.data());
            source.deallocate_bulk(blocks);
            barrier();
        }
    });
}

template <packet_source Source>
void same_thread_fifo(kernel_state& state) {
    settle_heap();
    used_here<Source> used;
    std::vector<void*> live(live_in_fifo);
    for (void*& block : live) block = used.source.allocate();
    measure_rounds(state, [&] {
        Source& source = used.source;
        static_assert(packets_per_reading % live_in_fifo == 0);
        for (std::size_t i = 0; i < packets_per_reading; i += live_in_fifo) {
            for (void*& block : live) {
                source.deallocate(block);
                barrier();
                block = source.allocate();
                escape(block);
            }
        }
    });
    for (void* const block : live) used.source.deallocate(block);
}

/// The kernels for Source, whether or not it has its own bulk calls.
template <packet_source Source>
std::vector<packet_kernel> same_thread_kernels() {
    constexpr double each = 1e9 / packets_per_reading;
    std::vector<packet_kernel> kernels = {{"same_thread.one", each, same_thread_one<Source>},
                                          {"same_thread.burst", each, same_thread_burst<Source>},
                                          {"same_thread.fifo", each, same_thread_fifo<Source>}};
    if constexpr (Source::has_bulk) {
        kernels.push_back({"same_thread.bulk", each, same_thread_bulk<Source>});
    }
    return kernels;
}

}  // namespace lab::packets
