// SPDX-License-Identifier: BSL-1.0
// snmalloc, which distributions do not have: from the crate snmalloc-sys, by the functions that it
// has for Rust's allocators, which are told a block's size when it is given back.
#include "peers/host.hpp"
#include "peers/packets/cells.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>

extern "C" {
void* sn_rust_alloc(std::size_t alignment, std::size_t bytes);
void sn_rust_dealloc(void* block, std::size_t alignment, std::size_t bytes);
}

namespace {

template <std::size_t Bytes>
struct snmalloc_functions {
    static constexpr std::size_t alignment = alignof(std::max_align_t);

    static void* allocate() noexcept { return sn_rust_alloc(alignment, Bytes); }
    static void deallocate(void* block) noexcept { sn_rust_dealloc(block, alignment, Bytes); }
};

template <std::size_t Bytes>
using source = lab::packets::one_by_one<lab::packets::blocks_by<snmalloc_functions<Bytes>>>;

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        return lab::hosted_peer{lab::packets::cells_of<source>("snmalloc"),
                                {{"snmalloc", SNMALLOC_VERSION}}};
    });
}
