// SPDX-License-Identifier: BSL-1.0
// Makes the mistake that it is told to, for Valgrind to find in the blocks of a pool.
#include <freehold/memory/pool.hpp>

#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
    freehold::pool_options options;
    options.block_size = 64;
    options.magazine_size = 8;
    freehold::pool pool(options);

    // More than a thread keeps for itself, so that free blocks lie everywhere.
    std::vector<void*> blocks(100);
    pool.allocate_bulk(blocks);
    for (void* block : blocks) std::memset(block, 1, options.block_size);
    for (void* block : blocks) pool.deallocate(block);

    auto* const mine = static_cast<volatile char*>(pool.allocate());
    auto* const free = static_cast<volatile char*>(blocks[40]);
    const std::string_view mistake = argc == 2 ? argv[1] : "";
    if (mistake == "read_after_free") {
        if (free[3] == 1) std::puts("as its last user left it");
    } else if (mistake == "write_after_free") {
        free[63] = 1;
    } else if (mistake == "use_before_write") {
        if (mine[5] == 1) std::puts("as its last user left it");
    } else if (mistake != "none") {
        std::fputs("tell which mistake to make\n", stderr);
        return 2;
    }
    pool.deallocate(const_cast<char*>(mine));
    return 0;
}
