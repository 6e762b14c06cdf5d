// SPDX-License-Identifier: BSL-1.0
// mimalloc 3 from the crate libmimalloc-sys, because distributions do not have it yet. The process
// calls its own functions.
#include "processes/host.hpp"
#include "processes/packets_cells.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <string>
#include <vector>

extern "C" {
void* mi_malloc(std::size_t bytes);
void mi_free(void* block);
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
    return lab::host(argc, argv, LAB_PROCESS_FLAGS,
                     [](lab::process_kind, const std::vector<std::string>&) {
                         const lab::identity is = {
                             .name = "mimalloc 3", .family = lab::family::allocator, .order = 7};
                         lab::hosted_process process;
                         process.subjects = lab::packets::with_handles(is, MIMALLOC_3_VERSION, "");
                         process.cells = lab::packets::cells_of<source>(process.subjects);
                         return process;
                     });
}
