// SPDX-License-Identifier: BSL-1.0
// tcmalloc as in gperftools, the library without its profilers.
#include "peers/buffers/cells.hpp"

#include <gperftools/tcmalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::buffers::malloc_peer("tcmalloc", tc_version(nullptr, nullptr, nullptr));
    });
}
