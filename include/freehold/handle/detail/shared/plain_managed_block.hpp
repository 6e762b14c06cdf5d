// SPDX-License-Identifier: BSL-1.0
// What it is: the part of managers that does not depend on the type of the object.
#pragma once

#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Blocks of this size and alignment in memory of the default_allocator. Managers of many types end
// with these functions, which are not inlined there: the code to free memory is longer than a jump.
template <class Count, std::size_t Size, std::size_t Alignment>
struct plain_managed_block {
    // The manager of all objects without a destructor.
    static void* manage(control_block<Count>* counts, task what, const type_identity*) noexcept {
        return frees(what) ? free(counts) : nullptr;
    }
    // The end of a manager that has destroyed its object.
    [[gnu::noinline]] static void* end(control_block<Count>* counts) noexcept {
        return counts->keeps_memory() ? nullptr : free(counts);
    }

private:
    [[gnu::always_inline]] static void* free(control_block<Count>* counts) noexcept {
        auto& block = static_cast<managed_block<Count>&>(*counts);
        block.~managed_block();
        return default_memory<Size, Alignment>::free_at_end(&block, 1);
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
