// SPDX-License-Identifier: BSL-1.0
// mimalloc 3, which distributions do not have yet: from the crate libmimalloc-sys, by its own
// names.
#include "peers/host.hpp"
#include "peers/packets/cells.hpp"
#include "peers/packets/mimalloc_version.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>

extern "C" {
void* mi_malloc(std::size_t bytes);
void mi_free(void* block);
int mi_version();
}

namespace {

template <std::size_t Bytes>
struct mimalloc_functions {
    static void* allocate() noexcept { return mi_malloc(Bytes); }
    static void deallocate(void* block) noexcept { mi_free(block); }
};

template <std::size_t Bytes>
using source = lab::packets::one_by_one<lab::packets::blocks_by<mimalloc_functions<Bytes>>>;

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::hosted_peer{lab::packets::cells_of<source>("mimalloc 3"),
                                {{"mimalloc 3", lab::packets::mimalloc_version(mi_version())}}};
    });
}
