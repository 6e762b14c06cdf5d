// SPDX-License-Identifier: BSL-1.0
// What stands in the 32 bytes before the bytes of each buffer, whether it is in use or idle.
// Nothing of a buffer's own bytes is ever read or written by a cache, so idle ones can be poisoned
// whole.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_part;

struct alignas(16) buffer_block {
    // Bytes behind this header that the user may have.
    std::size_t capacity;
    union {
        buffer_part* owner;      // in use: the part of the cache that it goes back to
        buffer_block* previous;  // idle: the policy's
    };
    union {
        std::size_t size;    // in use: bytes that were asked for
        buffer_block* next;  // idle, and while it is handed from one list to another
    };
    // Idle: the policy's. In use, and of the part for all: who asked for it, by number.
    std::uint32_t stamp;
    std::uint16_t epoch;
    // Of the capacity; see size_class.hpp.
    std::uint16_t size_class : 10;
    // Of the upstream's block, and so of the first byte, which is behind its begin by that many
    // bytes, or by this header if it is larger.
    std::uint16_t log2_alignment : 6;

    [[nodiscard]] std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] static buffer_block& of(void* data) noexcept {
        return static_cast<buffer_block*>(data)[-1];
    }
    // Whether the buffer's first byte is aligned so, a power of two.
    [[nodiscard]] bool is_aligned(std::size_t alignment) const noexcept {
        return alignment <= alignof(buffer_block) ||
               (reinterpret_cast<std::uintptr_t>(this + 1) & (alignment - 1)) == 0;
    }
};
static_assert(sizeof(buffer_block) == 32);

// Blocks on their way out of a policy: the cache gives them to its upstream.
class dropped_buffers {
public:
    void push(buffer_block& block) noexcept {
        block.next = first_;
        first_ = &block;
    }
    [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
    // nullptr if there is none.
    [[nodiscard]] buffer_block* pop() noexcept {
        buffer_block* const block = first_;
        if (block != nullptr) first_ = block->next;
        return block;
    }

private:
    buffer_block* first_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
