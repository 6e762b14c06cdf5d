// SPDX-License-Identifier: BSL-1.0
// Stands for the peer PEER_COMPETITOR, which cannot be built here: it has the same cells, and
// PEER_MISSING says why they are missing.
#include "peers/buffers/cells.hpp"

int main(int argc, char** argv) {
    return lab::host(argc, argv, lab::buffers::cells_of(PEER_COMPETITOR));
}
