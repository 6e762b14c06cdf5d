// SPDX-License-Identifier: BSL-1.0
// mimalloc 3, which distributions do not have yet: from the crate libmimalloc-sys, by its own
// names.
#include "peers/host.hpp"
#include "peers/packets/cells.hpp"
#include "peers/packets/mimalloc_version.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>

extern "C" {
void* mi_malloc(std::size_t bytes);
void mi_free(void* block);
int mi_version();
}

namespace {

template <std::size_t Bytes>
class mimalloc_blocks {
public:
    explicit mimalloc_blocks(std::size_t) noexcept {}

    void* allocate() {
        void* const block = mi_malloc(Bytes);
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { mi_free(block); }
};

template <std::size_t Bytes>
using source = lab::packets::one_by_one<mimalloc_blocks<Bytes>>;

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::hosted_peer{lab::packets::cells_of<source>("mimalloc 3"),
                                {{"mimalloc 3", lab::packets::mimalloc_version(mi_version())}}};
    });
}
