// SPDX-License-Identifier: BSL-1.0
// tcmalloc as in gperftools, the library without its profilers.
#include "peers/malloc_file.hpp"
#include "peers/zeroing/cells.hpp"

#include <gperftools/tcmalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::lines::peer_of("tcmalloc",
                                   {{"tcmalloc", tc_version(nullptr, nullptr, nullptr)}},
                                   lab::why_not_its_malloc("tcmalloc"));
    });
}
