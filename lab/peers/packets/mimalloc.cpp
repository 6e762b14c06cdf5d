// SPDX-License-Identifier: BSL-1.0
#include "peers/packets/malloc_source.hpp"
#include "peers/packets/mimalloc_version.hpp"

#include <mimalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::packets::malloc_peer("mimalloc", lab::packets::mimalloc_version(mi_version()));
    });
}
