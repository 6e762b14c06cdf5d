// SPDX-License-Identifier: BSL-1.0
// Makes a packet by each way in memory that is full of a pattern, and prints a line for each. Tabs
// divide the line's fields: the way, the test, the function that made it, the number of the
// packet's bytes that are zero, and the number of bytes that are neither zero nor of the pattern.
// Or the last field is the reason why the way is missing.
//
// Every block of memory has the pattern when it is handed out, from the heap and from the pool.
// Each packet is made twice: in memory that was never used, and in memory that held a packet.
#include <freehold/memory/memory_resource.hpp>

#include "probes/makings.hpp"
#include "probes/patterned_heap.hpp"
#include "suites/packets/packet.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

class patterned_resource final : public freehold::memory_resource {
    void* do_allocate(std::size_t size, std::size_t alignment) override {
        return lab::patterned(size, alignment);
    }
    void do_deallocate(void* memory, std::size_t, std::size_t) override { std::free(memory); }
    bool do_is_equal(const freehold::memory_resource& other) const noexcept override {
        return this == &other;
    }
};

struct counted {
    int zero = 0;
    int other = 0;
};

counted count(const volatile unsigned char* packet) {
    counted result;
    for (std::size_t i = 0; i < lab::packets::packet_bytes; ++i) {
        if (packet[i] == 0) {
            ++result.zero;
        } else if (packet[i] != lab::pattern) {
            ++result.other;
        }
    }
    return result;
}

counted made_and_dropped(const lab::making& way, freehold::pool& from) {
    lab::handle_place place;
    way.make(place, from);
    auto* const packet = static_cast<volatile unsigned char*>(way.packet(place));
    const counted result = count(packet);
    for (std::size_t i = 0; i < lab::packets::packet_bytes; ++i) packet[i] = lab::pattern;
    way.drop(place);
    return result;
}

void run(const lab::making& way) {
    if (way.missing != nullptr) {
        std::printf("%s\t%s\t%s\t%s\n", way.way, way.test, way.symbol, way.missing);
        return;
    }
    patterned_resource upstream;
    freehold::pool_options options;
    options.block_size = lab::packets::shared_block_bytes;
    options.upstream = &upstream;
    options.checked = false;
    freehold::pool from(options);
    const counted fresh = made_and_dropped(way, from);
    const counted again = made_and_dropped(way, from);
    std::printf("%s\t%s\t%s\t%d\t%d\n", way.way, way.test, way.symbol,
                std::max(fresh.zero, again.zero), std::max(fresh.other, again.other));
}

}  // namespace

int main() {
    try {
        for (const lab::making& way : lab::all_makings()) run(way);
        return std::fflush(stdout) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "the probe of zeroing failed: %s\n", error.what());
        return 1;
    }
}
