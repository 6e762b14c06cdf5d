// SPDX-License-Identifier: BSL-1.0
// One function for each way to make a packet of each kind. The lab disassembles its machine code,
// and makings_main.cpp runs it. The file is compiled for each standard library.
#pragma once

#include <freehold/memory/pool.hpp>

#include <cstddef>
#include <vector>

namespace lab {

/// Room for any handle.
struct alignas(std::max_align_t) handle_place {
    std::byte bytes[64];
};

struct making {
    const char* way;
    const char* test;     ///< the case, which is named after the kind of packet
    const char* symbol;   ///< the name of `make` in the object file
    const char* missing;  ///< the reason why there is no such function, or null
    void (*make)(handle_place&, freehold::pool&);
    void* (*packet)(handle_place&);
    void (*drop)(handle_place&);
};

std::vector<making> all_makings();

}  // namespace lab
