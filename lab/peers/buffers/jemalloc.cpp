// SPDX-License-Identifier: BSL-1.0
#include "peers/buffers/cells.hpp"
#include "peers/packets/jemalloc_version.hpp"

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::buffers::malloc_peer("jemalloc", lab::packets::jemalloc_version());
    });
}
