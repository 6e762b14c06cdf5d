// SPDX-License-Identifier: BSL-1.0
// Turns what a recorder saw, calls with addresses, into what trace_reader promises. Costs one
// look-up in a hash table for each call, and about 60 bytes for each live block.
#pragma once

#include "advise/trace.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace freehold {

/// Where and when a call was recorded. Addresses of different spaces (of processes as the system
/// numbers them) name different blocks.
struct recorded_at {
    std::uint64_t time = 0;
    std::uint32_t space = 0;
    std::uint32_t thread = 0;
    std::uint32_t process = 0;
};

class live_blocks {
public:
    /// Appends to `events` what follows from the call, and counts in `losses` what it shows to be
    /// missing. A null address is no block: of an allocation it means that it failed.
    void allocated(const recorded_at& at, std::uint64_t address, std::uint64_t size,
                   std::uint64_t alignment, std::vector<trace_event>& events, trace_losses& losses);
    void freed(const recorded_at& at, std::uint64_t address, std::vector<trace_event>& events,
               trace_losses& losses);

private:
    struct place {
        std::uint64_t address;
        std::uint32_t space;
        friend bool operator==(const place& a, const place& b) {
            return a.address == b.address && a.space == b.space;
        }
    };
    struct place_hash {
        std::size_t operator()(const place& of) const noexcept {
            // Addresses are multiples of 16 and near each other: spread their low bits upwards,
            // and fold the high ones back to where the table looks.
            const std::uint64_t mixed =
                (of.address ^ (std::uint64_t{of.space} << 48)) * 0x9e3779b97f4a7c15U;
            return static_cast<std::size_t>(mixed ^ (mixed >> 32));
        }
    };
    struct block {
        std::uint64_t size;
        std::uint64_t alignment;
        std::uint32_t number;
        std::uint32_t process;
    };
    using table = std::unordered_map<place, block, place_hash>;

    static trace_event end_of(const block& what, const recorded_at& at);

    table live_;
    std::vector<std::uint32_t> free_numbers_;
    std::uint32_t numbers_ = 0;  // given out: each is either in live_ or in free_numbers_
};

}  // namespace freehold
