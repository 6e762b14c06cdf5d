// SPDX-License-Identifier: BSL-1.0
// snmalloc from the crate snmalloc-sys, because distributions do not have it. The process calls its
// functions for Rust's allocators. These get a block's size when the block is freed.
#include "processes/host.hpp"
#include "processes/packets_cells.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <string>
#include <vector>

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
    return lab::host(argc, argv, LAB_PROCESS_FLAGS,
                     [](lab::process_kind, const std::vector<std::string>&) {
                         const lab::identity is = {
                             .name = "snmalloc", .family = lab::family::allocator, .order = 10};
                         lab::hosted_process process;
                         process.subjects = lab::packets::with_handles(is, SNMALLOC_VERSION, "");
                         process.cells = lab::packets::cells_of<source>(process.subjects);
                         return process;
                     });
}
