// SPDX-License-Identifier: BSL-1.0
#include "peers/buffers/cells.hpp"
#include "peers/packets/mimalloc_version.hpp"

#include <mimalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::buffers::malloc_peer("mimalloc", lab::packets::mimalloc_version(mi_version()));
    });
}
