// SPDX-License-Identifier: BSL-1.0
// What makings_main.cpp prints, and what zeroes by the code of makings.cpp.
#pragma once

#include "probes/zeroing.hpp"

#include <string>
#include <vector>

namespace lab {

struct made_packet {
    std::string way;
    std::string test;
    std::string symbol;   ///< the function that made it
    std::string missing;  ///< why there is none, or empty
    int zero = 0;         ///< so many of its bytes were set to zero
    int other = 0;        ///< so many were set to something else
};

/// Throws std::runtime_error for any other text.
std::vector<made_packet> read_made_packets(const std::string& text);

/// What zeroes 256 bytes or more where a packet is made; what is smaller is bookkeeping. Not what a
/// pool does that has no block at hand, and zeroes tables of its own: what it does to its blocks
/// shows in memory.
std::vector<zeroing> what_zeroes(const made_packet& made, const disassembly& code);

}  // namespace lab
