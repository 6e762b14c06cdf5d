// SPDX-License-Identifier: BSL-1.0
// Stands for the peer PACKETS_COMPETITOR, which cannot be built here: it has the same cells, and
// PEER_MISSING says why they are missing. PACKETS_BULK says whether it has bulk calls.
#include "peers/packets/cells.hpp"

#include <cstddef>
#include <new>
#include <span>

namespace {

/// Nothing comes from it, for no cell of a peer that is missing is run.
template <std::size_t>
struct absent {
    static constexpr bool has_bulk = PACKETS_BULK;

    explicit absent(std::size_t) { throw std::bad_alloc(); }
    void* allocate() { throw std::bad_alloc(); }
    void deallocate(void*) noexcept {}
    void allocate_bulk(std::span<void*>) { throw std::bad_alloc(); }
    void deallocate_bulk(std::span<void* const>) noexcept {}
};

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, lab::packets::cells_of<absent>(PACKETS_COMPETITOR));
}
