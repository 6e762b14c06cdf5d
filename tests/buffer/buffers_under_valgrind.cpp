// SPDX-License-Identifier: BSL-1.0
// Makes the mistake that its argument names, for Valgrind to find in the buffers of a cache.
#include <freehold/buffer/buffer_cache.hpp>

#include <cstdio>
#include <cstring>
#include <string_view>

int main(int argc, char** argv) {
    freehold::buffer_cache<> cache;
    auto* const idle = static_cast<volatile char*>(cache.allocate(5000));
    auto* const used = static_cast<char*>(cache.allocate(1000));
    std::memset(used, 1, 1000);
    cache.deallocate(const_cast<char*>(idle));
    cache.deallocate(used);

    auto* const mine = static_cast<volatile char*>(cache.allocate(1000));
    const std::string_view mistake = argc == 2 ? argv[1] : "";
    if (mistake == "read_after_return") {
        if (idle[3] == 1) std::puts("as its last user left it");
    } else if (mistake == "write_after_return") {
        idle[4999] = 1;
    } else if (mistake == "use_before_write") {
        if (mine[5] == 1) std::puts("as its last user left it");
    } else if (mistake != "none") {
        std::fputs("name the mistake to make\n", stderr);
        return 2;
    }
    cache.deallocate(const_cast<char*>(mine));
    return 0;
}
