// SPDX-License-Identifier: BSL-1.0
// The marks and patterns that a checked pool writes into its blocks and verifies there.
//
// A guard is behind each block, up to the next block. It begins with a mark that says whether the
// block is free. The rest is a pattern that must not change: a write before the start of the next
// block changes it. A free block is filled with `freed`, an allocated one with `fresh`. Free blocks
// and guards are hidden, so that sanitizers find accesses to them.
// The cost is a write and a read of the whole block for each allocation and its free. Not
// thread-safe for one block.
#pragma once

#include <freehold/detail/annotations.hpp>
#include <freehold/memory/detail/reports.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freehold::inline FREEHOLD_ABI::detail {

class block_checks {
public:
    static constexpr std::size_t least_guard_size = 64;

    constexpr block_checks(std::size_t block_size, std::size_t stride, const char* pool) noexcept
        : block_size_(block_size), guard_size_(stride - block_size), pool_(pool) {}

    // Prepares memory whose blocks are all free. It may contain the data of another pool.
    void prepared(std::byte* memory, std::size_t size) const noexcept {
        for (std::byte* block = memory; block < memory + size; block += stride()) {
            std::memset(block + block_size_, guard, guard_size_);
            put_away(block);
        }
    }
    void allocated(void* block) const noexcept {
        auto* const bytes = static_cast<unsigned char*>(block);
        annotate_inspected(block, stride());
        if (mark_of(bytes) != free_mark || !is_filled(bytes, block_size_, freed)) {
            report_use_after_free(pool_, block);
        }
        std::memset(bytes, fresh, block_size_);
        std::memset(bytes + block_size_, guard, sizeof free_mark);
        annotate_hidden(bytes + block_size_, guard_size_);
    }
    void freed_by_user(void* block, bool has_block_before) const noexcept {
        auto* const bytes = static_cast<unsigned char*>(block);
        annotate_inspected(block, stride());
        if (!is_filled(bytes + block_size_, guard_size_, guard)) report_overrun(pool_, block);
        // No thread writes to a guard behind its mark, so this thread may read the guard of its
        // neighbour. Under a sanitizer, only the neighbour may change the annotations of that
        // guard. The sanitizer itself finds the write.
        if constexpr (!annotates_blocks) {
            const std::size_t unmarked = guard_size_ - sizeof free_mark;
            if (has_block_before && !is_filled(bytes - unmarked, unmarked, guard)) {
                report_underrun(pool_, block);
            }
        }
        put_away(block);
    }

private:
    static constexpr unsigned char fresh = 0xCD;
    static constexpr unsigned char freed = 0xDD;
    static constexpr unsigned char guard = 0xFD;
    static constexpr std::uint64_t free_mark = 0x5EED'F4EE'B10C'0DEDU;

    [[nodiscard]] std::size_t stride() const noexcept { return block_size_ + guard_size_; }

    void put_away(void* block) const noexcept {
        std::memset(block, freed, block_size_);
        std::memcpy(static_cast<std::byte*>(block) + block_size_, &free_mark, sizeof free_mark);
        annotate_hidden(block, stride());
    }
    [[nodiscard]] std::uint64_t mark_of(const unsigned char* bytes) const noexcept {
        std::uint64_t mark = 0;
        std::memcpy(&mark, bytes + block_size_, sizeof mark);
        return mark;
    }
    [[nodiscard]] static bool is_filled(const unsigned char* bytes, std::size_t size,
                                        unsigned char with) noexcept {
        for (const unsigned char* each = bytes; each != bytes + size; ++each) {
            if (*each != with) return false;
        }
        return true;
    }

    std::size_t block_size_;
    std::size_t guard_size_;
    const char* pool_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
