// SPDX-License-Identifier: BSL-1.0
// What it is: what an arrow_file or an arrow_filesystem reports: how many bytes it served, and how
// many of them it had to copy.
// When to use it: to choose line_size. A high share of `bytes_copied` means that the reads are
// larger than a line, or nearly as large.
// Example: `const freehold::arrow_file_statistics reads = file->statistics();`
//
// Units: bytes, and numbers of events since the object was opened.
// Complexity, thread safety: a snapshot, three loads. Each number was right at some moment.
// Exceptions: none.
// Ownership: a value.
// Source: none.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct arrow_file_statistics {
    std::uint64_t reads = 0;         // reads of at least one byte that succeeded
    std::uint64_t bytes_pinned = 0;  // served in place, by a buffer that holds the line
    std::uint64_t bytes_copied = 0;  // copied, across lines or into memory of the caller
};

}  // namespace freehold::inline FREEHOLD_ABI
