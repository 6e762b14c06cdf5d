// SPDX-License-Identifier: BSL-1.0
// Stands for the peer PEER_COMPETITOR, which cannot be built here: it has the same cells, and
// PEER_MISSING says why they are missing.
#include "peers/zeroing/cells.hpp"

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::lines::peer_of(PEER_COMPETITOR, {}, PEER_MISSING);
    });
}
