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

    // A checked pool whose blocks were all used, and one still is; and a pool of which but one
    // block was ever allocated.
    freehold::pool_options checked_options = options;
    checked_options.checked = true;
    freehold::pool checked(checked_options);
    std::vector<void*> used;
    while (used.size() != 200) used.push_back(checked.allocate());
    for (void* block : used) std::memset(block, 1, options.block_size);
    for (std::size_t i = 1; i < used.size(); ++i) checked.deallocate(used[i]);
    freehold::pool fresh(options);
    auto* const alone = static_cast<char*>(fresh.allocate());

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
    } else if (mistake == "write_before_allocate") {
        const_cast<volatile char*>(alone)[fresh.stride()] = 1;
    } else if (mistake == "write_behind_checked") {
        static_cast<volatile char*>(used[0])[options.block_size] = 1;
        return 0;  // the pool itself would find it when the block is freed
    } else if (mistake != "none") {
        std::fputs("tell which mistake to make\n", stderr);
        return 2;
    }
    pool.deallocate(const_cast<char*>(mine));
    checked.deallocate(used[0]);
    fresh.deallocate(alone);
    return 0;
}
