// SPDX-License-Identifier: BSL-1.0
// What it is: the options and the statistics of a limited_source.
// Example: `freehold::limited_source_options{.bytes_per_second = 200e6, .in_flight = 32}`
//
// Units: as each member says. A limit of 0 does not exist.
// Complexity, thread safety: plain structs.
// Exceptions, ownership, source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace freehold::inline FREEHOLD_ABI {

struct limited_source_options {
    // The most bytes and requests that the source is asked for in a second, on average.
    double bytes_per_second = 0;
    double requests_per_second = 0;
    // The most reads at once. Further reads wait.
    std::size_t in_flight = 0;
    // How much of both rates an idle source saves up, and then allows at once. A read of any size
    // may begin as soon as the reads before it are within the rate.
    std::chrono::milliseconds burst{1000};
};

// The figures of a whole limited_source.
struct limited_source_statistics {
    std::uint64_t reads = 0;         // that were passed to the source
    std::uint64_t descriptions = 0;  // that the source was asked for
    std::uint64_t delayed = 0;       // reads that waited before they were passed on
    std::uint64_t cancelled = 0;     // reads that were no longer wanted while they waited
    std::uint64_t bytes = 0;         // that arrived, of reads that have ended
    std::size_t in_flight = 0;       // reads that the source performs
    std::size_t waiting = 0;         // reads that wait
};

// Prints one line.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const limited_source_statistics& from);

}  // namespace freehold::inline FREEHOLD_ABI
