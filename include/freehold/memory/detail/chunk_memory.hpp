// SPDX-License-Identifier: BSL-1.0
// The memory of a chunk: its blocks, from the pool's upstream, and its header, from operator new.
// Thread-safe if the upstream is. Throws what the upstream throws.
#pragma once

#include <freehold/detail/annotations.hpp>
#include <freehold/detail/platform/pages.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/checks.hpp>
#include <freehold/memory/detail/chunk.hpp>
#include <freehold/memory/detail/depot_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

inline void prefault_within(const chunk::range& range) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(range.begin);
    const std::uintptr_t first = up_to_whole(page_size(), begin);
    const std::uintptr_t last = down_to_whole(page_size(), begin + range.size);
    if (first < last) prefault(range.begin + (first - begin), last - first);
}

// A chunk with the memory of its blocks.
struct chunk_memory {
    // Returns nullptr if memory is exhausted.
    [[nodiscard, gnu::cold]] static chunk* make(const depot_layout& layout, std::size_t blocks,
                                                bool is_overflow) {
        if (blocks > no_limit / 2 / layout.stride) return nullptr;
        const std::size_t size = blocks * layout.stride;
        void* const begin =
            layout.upstream->allocate(layout.upstream->from, size, layout.chunk_alignment(size));
        if (begin == nullptr) return nullptr;
        void* const header =
            ::operator new(chunk::size_for(blocks), std::align_val_t(64), std::nothrow);
        if (header == nullptr) {
            free(layout, begin, size);
            return nullptr;
        }
        chunk* const made = chunk::make_in(header, static_cast<std::byte*>(begin), layout.stride,
                                           blocks, is_overflow);
        if (layout.functions != nullptr) layout.functions->prepare(layout, *made);
        return made;
    }

    // For pool_functions.
    static void prepare(const depot_layout& layout, chunk& made) noexcept {
        const auto size = static_cast<std::size_t>(made.end() - made.begin());
        if (layout.prefault) {
            prefault_within({made.begin(), size});
            made.skip_pages(size);
        }
        if (layout.checked) {
            block_checks(layout.block_size, layout.stride, layout.name)
                .prepared(made.begin(), size);
        } else if constexpr (annotates_blocks) {
            for (std::size_t i = 0; i < made.blocks(); ++i) {
                annotate_hidden(made.begin() + i * layout.stride, layout.block_size);
            }
        }
    }

    // Frees the memory of a list of chunks. Returns the number of chunks.
    [[gnu::cold]] static std::size_t free_all(const depot_layout& layout, chunk* leaving) noexcept {
        std::size_t count = 0;
        for (; leaving != nullptr; ++count) {
            chunk* const gone = std::exchange(leaving, leaving->next);
            const auto size = static_cast<std::size_t>(gone->end() - gone->begin());
            annotate_returned(gone->begin(), size);
            free(layout, gone->begin(), size);
            ::operator delete(static_cast<void*>(gone), std::align_val_t(64));
        }
        return count;
    }

private:
    static void free(const depot_layout& layout, void* memory, std::size_t size) noexcept {
        layout.upstream->deallocate(layout.upstream->from, memory, size,
                                    layout.chunk_alignment(size));
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
