// SPDX-License-Identifier: BSL-1.0
#include "peers/packets/jemalloc_version.hpp"
#include "peers/packets/malloc_source.hpp"

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::packets::malloc_peer("jemalloc", lab::packets::jemalloc_version());
    });
}
