// SPDX-License-Identifier: BSL-1.0
// A producer takes blocks and sends them through a ring in bursts. A consumer gives them back.
#pragma once

#include "suites/common/barrier.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/source.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lab::packets {

/// The work of thread `number` of a thread group. Producers have even numbers. The consumer of a
/// pair has the number after its producer's.
template <touched What, class Source>
class block_worker {
public:
    block_worker(Source& source, lanes<packet*>& way, std::size_t number)
        : source_(source), way_(way), number_(number), here_(source, number / 2) {}

    void operator()() {
        for (std::size_t step = 0; step < steps_per_batch; ++step) {
            if (number_ % 2 == 0) {
                send(step);
            } else {
                receive(step);
            }
        }
    }

private:
    void send(std::size_t step) {
        std::array<void*, burst> blocks;
        source_.allocate_bulk(blocks);
        auto block = blocks.begin();
        way_.put(number_ / 2, step, [&] {
            packet* const made = std::construct_at(static_cast<packet*>(*block++));
            write<What>(*made, ++sent_);
            return made;
        });
    }

    void receive(std::size_t step) {
        std::array<void*, burst> blocks;
        auto block = blocks.begin();
        way_.take(number_ / 2, step, [&](packet* received) { *block++ = received; });
        for (const void* const received : blocks) {
            escape(
                reinterpret_cast<const void*>(read<What>(*static_cast<const packet*>(received))));
        }
        source_.deallocate_bulk(blocks);
    }

    Source& source_;
    lanes<packet*>& way_;
    const std::size_t number_;
    std::uint64_t sent_ = 0;
    const enrolled<Source> here_;
};

template <touched What, bulk_source Source>
void across(kernel_state& state) {
    measure_pairs<block_worker<What, Source>, Source, packet*>(state, 1);
}

template <touched What, bulk_source Source>
void several(kernel_state& state) {
    measure_pairs<block_worker<What, Source>, Source, packet*>(state, several_pairs());
}

/// The kernels for sources that several threads can use.
template <bulk_source Source>
std::vector<packet_kernel> across_kernels() {
    using enum touched;
    constexpr double each = 1e9 / packets_per_batch;
    const double each_of_several = each / static_cast<double>(several_pairs());
    return {{"across.untouched", each, across<nothing, Source>},
            {"across.64_bytes", each, across<first_line, Source>},
            {"across.whole_packet", each, across<all, Source>},
            {"several.untouched", each_of_several, several<nothing, Source>},
            {"several.64_bytes", each_of_several, several<first_line, Source>},
            {"several.whole_packet", each_of_several, several<all, Source>}};
}

}  // namespace lab::packets
