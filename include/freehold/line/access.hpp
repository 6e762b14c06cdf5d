// SPDX-License-Identifier: BSL-1.0
// What it is: how a reader of a line_cache uses the lines that it gets.
// When to use it: `once` for a scan of more than the cache can hold, or of data that is not read
// again soon. The lines of such a scan displace each other, and no lines that others read.
// When not: for data that is read again soon. Lines that all their readers get with `once` leave
// the cache first.
// Example: `cache.get({"table/price", freehold::access::once}, offset);`
//
// Units: none.
// Complexity, thread safety, exceptions, ownership: a plain enumeration.
// Source: the ring buffers of PostgreSQL's sequential scans.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

// Whether a get is a reason to keep the line.
enum class access : std::uint8_t {
    again,  // it is
    once    // it is not; a line that is only read so is evicted before others
};

}  // namespace freehold::inline FREEHOLD_ABI
