// SPDX-License-Identifier: BSL-1.0
// The memory of a chunk: its blocks, from the pool's upstream, and its header, from operator new.
// Thread-safe if the upstream is. Throws std::bad_alloc, and what the upstream throws.
#pragma once

#include <freehold/detail/annotations.hpp>
#include <freehold/detail/exceptions.hpp>
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

// Memory for a chunk. The destructor frees it, unless a chunk was made in it.
class chunk_memory {
public:
    chunk_memory(const depot_layout& layout, std::size_t blocks)
        : layout_(layout), blocks_(blocks), begin_(allocate(layout, blocks)) {
        FREEHOLD_TRY {
            header_ = ::operator new(chunk::size_for(blocks));
        }
        FREEHOLD_CATCH(...) {
            free(layout_, begin_, size());
            FREEHOLD_RETHROW;
        }
        if (layout_.prefault) prefault_within({begin_, size()});
    }
    chunk_memory(const chunk_memory&) = delete;
    chunk_memory& operator=(const chunk_memory&) = delete;
    ~chunk_memory() {
        if (header_ == nullptr) return;
        ::operator delete(header_);
        free(layout_, begin_, size());
    }

    [[nodiscard]] std::size_t size() const noexcept { return blocks_ * layout_.stride; }

    [[nodiscard]] chunk* make(bool is_overflow) noexcept {
        chunk* const made = chunk::make_in(std::exchange(header_, nullptr), begin_, layout_.stride,
                                           blocks_, is_overflow);
        if (layout_.prefault) made->skip_pages(size());
        if (layout_.checked) {
            block_checks(layout_.block_size, layout_.stride, layout_.name)
                .prepared(made->begin(), size());
        } else if (annotates_blocks) {
            hide_blocks(*made);
        }
        return made;
    }

    // Frees the memory of a list of chunks. Returns the number of chunks.
    static std::size_t free_all(const depot_layout& layout, chunk* leaving) noexcept {
        std::size_t count = 0;
        for (; leaving != nullptr; ++count) {
            chunk* const gone = std::exchange(leaving, leaving->next);
            const auto size = static_cast<std::size_t>(gone->end() - gone->begin());
            annotate_returned(gone->begin(), size);
            free(layout, gone->begin(), size);
            ::operator delete(static_cast<void*>(gone));
        }
        return count;
    }

private:
    void hide_blocks(const chunk& made) const noexcept {
        for (std::size_t i = 0; i < made.blocks(); ++i) {
            annotate_hidden(made.begin() + i * layout_.stride, layout_.block_size);
        }
    }

    [[nodiscard]] static std::byte* allocate(const depot_layout& layout, std::size_t blocks) {
        if (blocks > no_limit / 2 / layout.stride) FREEHOLD_THROW(std::bad_alloc());
        const std::size_t size = blocks * layout.stride;
        const std::size_t alignment = layout.chunk_alignment(size);
        return static_cast<std::byte*>(
            layout.upstream != nullptr
                ? layout.upstream->allocate(layout.upstream->from, size, alignment)
                : ::operator new(size, std::align_val_t(alignment)));
    }
    static void free(const depot_layout& layout, std::byte* memory, std::size_t size) noexcept {
        const std::size_t alignment = layout.chunk_alignment(size);
        if (layout.upstream != nullptr) {
            layout.upstream->deallocate(layout.upstream->from, memory, size, alignment);
        } else {
            ::operator delete(memory, std::align_val_t(alignment));
        }
    }

    const depot_layout& layout_;
    std::size_t blocks_;
    std::byte* begin_;
    void* header_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
