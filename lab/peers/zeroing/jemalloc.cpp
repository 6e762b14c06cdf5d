// SPDX-License-Identifier: BSL-1.0
#include "peers/malloc_file.hpp"
#include "peers/packets/jemalloc_version.hpp"
#include "peers/zeroing/cells.hpp"

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::lines::peer_of("jemalloc", {{"jemalloc", lab::packets::jemalloc_version()}},
                                   lab::why_not_its_malloc("jemalloc"));
    });
}
