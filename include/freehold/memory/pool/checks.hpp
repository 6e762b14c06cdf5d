// SPDX-License-Identifier: BSL-1.0
// What a checked pool writes into its blocks, and looks for there.
//
// Behind each block stands a guard: a mark that says whether the block was freed, and a pattern
// that nobody may change. A free block is filled with `freed`, an allocated one with `fresh`.
// Costs a write and a read of the whole block for each allocation and its free. Not thread-safe
// for one block.
#pragma once

#include <freehold/memory/pool/reports.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freehold::detail {

class block_checks {
public:
    static constexpr std::size_t guard_size = 64;

    constexpr block_checks(std::size_t block_size, const char* pool) noexcept
        : block_size_(block_size), pool_(pool) {}

    // A block that was not allocated before is zero: what another pool left there is not its own.
    void allocated(void* block) const noexcept {
        auto* const bytes = static_cast<unsigned char*>(block);
        if (mark_of(bytes) == free_mark && !is_filled(bytes, block_size_, freed)) {
            report_use_after_free(pool_, block);
        }
        std::memset(bytes, fresh, block_size_);
        std::memset(bytes + block_size_, guard, guard_size);
    }
    void freed_by_user(void* block) const noexcept {
        auto* const bytes = static_cast<unsigned char*>(block);
        if (!is_filled(bytes + block_size_, guard_size, guard)) report_overrun(pool_, block);
        std::memset(bytes, freed, block_size_);
        std::memcpy(bytes + block_size_, &free_mark, sizeof free_mark);
    }

private:
    static constexpr unsigned char fresh = 0xCD;
    static constexpr unsigned char freed = 0xDD;
    static constexpr unsigned char guard = 0xFD;
    static constexpr std::uint64_t free_mark = 0x5EED'F4EE'B10C'0DEDU;

    [[nodiscard]] std::uint64_t mark_of(const unsigned char* bytes) const noexcept {
        std::uint64_t mark = 0;
        std::memcpy(&mark, bytes + block_size_, sizeof mark);
        return mark;
    }
    [[nodiscard]] static bool is_filled(const unsigned char* bytes, std::size_t size,
                                        unsigned char with) noexcept {
        return std::all_of(bytes, bytes + size,
                           [with](unsigned char each) { return each == with; });
    }

    std::size_t block_size_;
    const char* pool_;
};

}  // namespace freehold::detail
