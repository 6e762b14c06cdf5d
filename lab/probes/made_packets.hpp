// SPDX-License-Identifier: BSL-1.0
// Reads the output of makings_main.cpp, and finds the code in makings.cpp that zeroes.
#pragma once

#include "probes/zeroing.hpp"

#include <string>
#include <vector>

namespace lab {

struct made_packet {
    std::string way;
    std::string test;
    std::string symbol;   ///< the function that made it
    std::string missing;  ///< the reason why there is none, or empty
    int zero = 0;         ///< the number of its bytes that were set to zero
    int other = 0;        ///< the number of bytes that were set to another value
};

/// Throws std::runtime_error if the text is anything else.
std::vector<made_packet> read_made_packets(const std::string& text);

/// Returns the code that zeroes 256 bytes or more while a packet is made; smaller parts are
/// bookkeeping. It excludes a pool's slow path, which zeroes the pool's own tables. The packets in
/// memory show what the path does to blocks.
std::vector<zeroing> what_zeroes(const made_packet& made, const disassembly& code);

}  // namespace lab
