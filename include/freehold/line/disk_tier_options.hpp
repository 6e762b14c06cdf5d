// SPDX-License-Identifier: BSL-1.0
// What it is: the options and the statistics of a disk_tier.
// Example: `freehold::disk_tier_options{.folder = "/var/cache/tables", .capacity = 100ULL << 30}`
//
// Units: bytes, unless a member says otherwise.
// Complexity, thread safety: plain structs.
// Exceptions: copying `folder` may throw std::bad_alloc.
// Ownership: none.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct disk_tier_options {
    // A folder for one source, and for one tier unless it is shared. It is created if it is
    // missing. Required.
    std::string folder = {};
    // The bound on all bytes in the folder's file, at least one line and its header. Required.
    std::uint64_t capacity = 0;
    // The unit that is kept and evicted; a multiple of 4096. Only whole lines are kept, so it must
    // divide the line_size of the line_cache. Another size than before begins an empty tier.
    std::size_t line_size = std::size_t{1} << 20;
    // How long an entity tag is trusted after the source has told it. In that time, neither
    // describe nor a read that requires no tag asks the source for an object with lines on the
    // disk. The largest value never asks, not even after a restart; use it if objects are never
    // replaced.
    std::chrono::milliseconds trust{0};
    // For started reads: threads that read from the disk, and the most reads that wait for them.
    // Further reads go to the source.
    unsigned threads = 4;
    std::size_t most_waiting = 256;
    // The most lines that wait in memory to be written. Further lines are not kept.
    std::size_t write_buffers = 32;
    // How long the tier does not write after a write has failed.
    std::chrono::milliseconds retry_after{1000};
    // Whether tiers in other processes of this machine and this user may use the folder at the same
    // time. They have the same version of Freehold, and the same line_size. The capacity and the
    // other bounds are those of the folder's owner.
    bool shared = false;
    // How long a process waits for a sign of life of the owner. Then the source serves its reads,
    // for six times as long.
    std::chrono::milliseconds patience{10'000};
};

// The figures of a whole tier.
struct disk_tier_statistics {
    std::uint64_t hits = 0;               // lines that were read from the disk
    std::uint64_t misses = 0;             // lines that were requested from the source
    std::uint64_t bytes_from_disk = 0;    // delivered
    std::uint64_t bytes_from_source = 0;  // delivered
    std::uint64_t checks = 0;             // descriptions that the source was asked for
    std::uint64_t written = 0;            // lines
    std::uint64_t bytes_written = 0;      // of lines, without headers
    std::uint64_t evictions = 0;          // lines that were dropped for others
    std::uint64_t replaced = 0;           // lines that were dropped because their object changed
    std::uint64_t damaged = 0;            // lines that were dropped because a checksum was wrong
    std::uint64_t not_whole = 0;          // lines not kept: read in part, no tag, long name
    std::uint64_t not_in_time = 0;        // lines not kept: all write buffers were in use
    std::uint64_t failed_reads = 0;       // of the disk
    std::uint64_t failed_writes = 0;      // of the disk
    std::uint64_t passed_on = 0;          // started reads that did not wait for the disk's threads
    std::uint64_t asked = 0;              // lines that the folder's owner was asked for
    std::uint64_t served = 0;             // lines that other processes were told of
    std::size_t lines = 0;                // on the disk, as its owner knows
    std::size_t most_lines = 0;           // that fit
    std::uint64_t bytes_on_disk = 0;      // of these lines, without headers
};

// Prints one line for reads, one for writes, one for faults, and one for what is on the disk.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const disk_tier_statistics& from);

}  // namespace freehold::inline FREEHOLD_ABI
