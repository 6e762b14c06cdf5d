// SPDX-License-Identifier: BSL-1.0
// Converts the calls with addresses that a recorder saw into the events that trace_reader promises.
// Costs one look-up in a hash table for each call, and about 60 bytes for each live block.
#pragma once

#include "advise/trace.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace freehold {

/// Where and when a call was recorded. A space is a process as the system numbers it. Equal
/// addresses in different spaces are different blocks.
struct recorded_at {
    std::uint64_t time = 0;
    std::uint32_t space = 0;
    std::uint32_t thread = 0;
    std::uint32_t process = 0;
};

class live_blocks {
public:
    /// Appends to `events` the events that follow from the call. Counts in `losses` what the call
    /// shows to be missing. A null address is not a block: if the call is an allocation, it failed.
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
            // Addresses are multiples of 16 and close to each other. The multiplication spreads
            // their low bits upwards, and the rest folds the high bits back to those that the table
            // uses.
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
    std::uint32_t numbers_ = 0;  // used so far: each is either in live_ or in free_numbers_
};

}  // namespace freehold
