// SPDX-License-Identifier: BSL-1.0
// snmalloc, which distributions do not have: from the crate snmalloc-sys, by the functions that it
// has for Rust's allocators, which are told a block's size when it is given back.
#include "peers/host.hpp"
#include "peers/packets/cells.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>

extern "C" {
void* sn_rust_alloc(std::size_t alignment, std::size_t bytes);
void sn_rust_dealloc(void* block, std::size_t alignment, std::size_t bytes);
}

namespace {

template <std::size_t Bytes>
class snmalloc_blocks {
public:
    explicit snmalloc_blocks(std::size_t) noexcept {}

    void* allocate() {
        void* const block = sn_rust_alloc(alignment, Bytes);
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { sn_rust_dealloc(block, alignment, Bytes); }

private:
    static constexpr std::size_t alignment = alignof(std::max_align_t);
};

template <std::size_t Bytes>
using source = lab::packets::one_by_one<snmalloc_blocks<Bytes>>;

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::hosted_peer{lab::packets::cells_of<source>("snmalloc"),
                                {{"snmalloc", SNMALLOC_VERSION}}};
    });
}
