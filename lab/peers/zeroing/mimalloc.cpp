// SPDX-License-Identifier: BSL-1.0
#include "peers/malloc_file.hpp"
#include "peers/packets/mimalloc_version.hpp"
#include "peers/zeroing/cells.hpp"

#include <mimalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::lines::peer_of("mimalloc",
                                   {{"mimalloc", lab::packets::mimalloc_version(mi_version())}},
                                   lab::why_not_its_malloc("mimalloc"));
    });
}
