// SPDX-License-Identifier: BSL-1.0
#include "peers/packets/malloc_source.hpp"

#include <string>

#include <mimalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        const int version = mi_version();  // 209 is 2.0.9
        return lab::packets::malloc_peer("mimalloc", std::to_string(version / 100) + "." +
                                                         std::to_string(version / 10 % 10) + "." +
                                                         std::to_string(version % 10));
    });
}
