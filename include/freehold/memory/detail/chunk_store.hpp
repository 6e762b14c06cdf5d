// SPDX-License-Identifier: BSL-1.0
// The chunks of a depot, with all free blocks that are in no magazine.
// A double free, or a free of a foreign address, ends the program with a message.
// Not thread-safe: the depot locks. No function allocates memory, so holding the lock is safe.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/chunk.hpp>
#include <freehold/memory/detail/chunk_map.hpp>
#include <freehold/memory/detail/depot_layout.hpp>
#include <freehold/memory/detail/reports.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class chunk_store {
public:
    constexpr explicit chunk_store(const depot_layout& layout) noexcept : layout_(&layout) {}

    [[nodiscard]] bool has_free() const noexcept { return with_free_ != nullptr; }

    // Writes up to `wanted` blocks to `place`, with the next one to use last. Returns their number.
    // Sets `pages` to the memory that must get its pages first, `ahead` bytes, if there is any.
    [[nodiscard]] std::size_t take(void** place, std::size_t wanted, chunk::range& pages,
                                   std::size_t ahead) noexcept {
        wanted = smaller(wanted, free_blocks_up_to(wanted));
        std::size_t missing = wanted;
        while (missing > 0) {
            const std::size_t taken = with_free_->take(place + missing, missing);
            missing -= taken;
            if (ahead > 0) pages = with_free_->claim_pages(place[missing], ahead);
            if (with_free_->free_blocks() == 0) with_free_ = with_free_->next;
        }
        return wanted;
    }

    // Marks the blocks as free. Returns a list of the overflow chunks that are removed because of
    // this.
    [[nodiscard]] chunk* give(void* const* blocks, std::size_t count) noexcept {
        chunk* leaving = nullptr;
        // Finds all chunks first, then marks the blocks. In a single loop, each search would wait
        // for the stores before it, whose addresses depend on a search.
        std::array<chunk*, 64> homes;
        for (std::size_t done = 0; done < count;) {
            void* const* const some = blocks + done;
            const std::size_t size = smaller(count - done, homes.size());
            for (std::size_t i = 0; i < size; ++i) homes[i] = chunks_.of(some[i]);
            for (std::size_t i = 0; i < size; ++i) give_to(homes[i], some[i], leaving);
            done += size;
        }
        return leaving;
    }

    // Requires that the map has room: see chunk_map::room_wanted_for.
    void add(chunk* added) noexcept {
        chunks_.add(added);
        add_to_list(added, with_free_);
    }
    // Returns a list of all chunks.
    [[nodiscard]] chunk* remove_all() noexcept {
        chunk* all = nullptr;
        chunks_.for_each_chunk([&](chunk& each) { add_to_list(&each, all); });
        return all;
    }
    // Removes the chunks whose blocks are all free, and returns a list of them.
    [[nodiscard]] chunk* remove_free() noexcept {
        chunk* leaving = nullptr;
        for (chunk** link = &with_free_; *link != nullptr;) {
            chunk* const each = *link;
            if (each->free_blocks() == each->blocks()) {
                *link = each->next;
                take_out(*this, each, leaving);
            } else {
                link = &each->next;
            }
        }
        return leaving;
    }
    // For pool_functions.
    [[gnu::cold]] static void take_out(chunk_store& from, chunk* home, chunk*& leaving) noexcept {
        from.chunks_.remove(home);
        add_to_list(home, leaving);
    }
    struct block_counts {
        std::size_t all = 0;
        std::size_t free = 0;
        std::size_t overflow = 0;  // in chunks that leave when their blocks are free
    };
    [[nodiscard]] block_counts count() const noexcept {
        block_counts counts;
        chunks_.for_each_chunk([&](const chunk& each) {
            counts.all += each.blocks();
            counts.free += each.free_blocks();
            if (each.is_overflow()) counts.overflow += each.blocks();
        });
        return counts;
    }
    [[nodiscard]] chunk_map& map() noexcept { return chunks_; }

    // Ends the program if this is not a block, or a block that is marked as free.
    void expect_taken(const void* block) const noexcept {
        const chunk* const home = chunks_.of(block);
        if (home == nullptr) report_foreign_block(layout_->name, block);
        require(home->answer_to(block), block);
    }

    // Requires that the block is not marked as free.
    [[nodiscard]] bool has_block_before(const void* block) const noexcept {
        return chunks_.of(block)->begin() != block;
    }

    [[nodiscard]] bool owns(const void* place) const noexcept {
        return chunks_.of(place) != nullptr;
    }

    // Calls visit(block) for each block that is not marked as free.
    template <class Visitor>
    void for_each_taken(Visitor visit) const {
        chunks_.for_each_chunk([&](const chunk& each) {
            for (std::size_t i = 0; i < each.blocks(); ++i) {
                if (!each.is_free(i)) visit(each.begin() + i * layout_->stride);
            }
        });
    }

private:
    // The number of free blocks, or any number of at least `enough` if there are more.
    [[nodiscard]] std::size_t free_blocks_up_to(std::size_t enough) const noexcept {
        std::size_t found = 0;
        for (const chunk* each = with_free_; each != nullptr && found < enough; each = each->next) {
            found += each->free_blocks();
        }
        return found;
    }

    static void add_to_list(chunk* added, chunk*& first) noexcept {
        added->next = std::exchange(first, added);
    }

    // Ends the program unless the block was taken.
    void require(chunk::answer given, const void* block) const noexcept {
        switch (given) {
            case chunk::answer::taken_back:
                return;
            case chunk::answer::was_free:
                report_double_free(layout_->name, block);
            case chunk::answer::no_block:
                report_foreign_block(layout_->name, block);
        }
    }

    void give_to(chunk* home, const void* block, chunk*& leaving) noexcept {
        if (home == nullptr) report_foreign_block(layout_->name, block);
        require(home->give(block), block);
        if (home->is_overflow()) [[unlikely]] {
            layout_->functions->take_out(*this, home, leaving);
        } else if (home->free_blocks() == 1) {
            add_to_list(home, with_free_);
        }
    }

    const depot_layout* layout_;
    chunk_map chunks_;
    chunk* with_free_ = nullptr;  // the list of chunks with a free block
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
