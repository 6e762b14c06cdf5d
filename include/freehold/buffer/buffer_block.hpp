// SPDX-License-Identifier: BSL-1.0
// What it is: buffer_block, the header of 32 bytes before the data of each buffer, in use or idle;
// and dropped_buffers, a list of blocks that a policy has given up.
// When to use it: to write a policy for buffer_cache.
// Example: policies/keep_first_below.hpp.
//
// The cache never reads or writes the data, so idle data can be poisoned as a whole. A policy reads
// `capacity`, and may use the members that are free for idle blocks.
//
// Units: bytes.
// Complexity: constant.
// Thread safety: one thread at a time may use a block or a list.
// Exceptions: none.
// Ownership: neither owns the memory; see buffer_policy.
// Source: none.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
class buffer_owner;
}

// The header before the bytes of a buffer.
struct alignas(16) buffer_block {
    // The bytes after this header.
    std::size_t capacity;
    union {
        detail::buffer_owner* owner;  // in use: what give_back is called on
        buffer_block* previous;       // idle: for the policy
    };
    union {
        std::size_t size;    // in use: the bytes asked for
        buffer_block* next;  // idle, or in transit between lists
    };
    // Idle: for the policy. In use and owned by the central cache: the number of the thread cache
    // that handed it out.
    std::uint32_t stamp;
    std::uint16_t epoch;
    // size_class::of(capacity).
    std::uint16_t size_class : 10;
    // The alignment of the upstream's block. The data starts at this alignment or at 32 bytes from
    // the block's start, whichever is larger.
    std::uint16_t log2_alignment : 6;

    // The first byte after the header, and the header before this byte.
    [[nodiscard]] std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] static buffer_block& of(void* data) noexcept {
        return static_cast<buffer_block*>(data)[-1];
    }
    // Whether the data is aligned to `alignment`, a power of two.
    [[nodiscard]] bool is_aligned(std::size_t alignment) const noexcept {
        return alignment <= alignof(buffer_block) ||
               (reinterpret_cast<std::uintptr_t>(this + 1) & (alignment - 1)) == 0;
    }
};
static_assert(sizeof(buffer_block) == 32);

// A list of blocks that a policy has given up. The cache returns them to its upstream.
class dropped_buffers {
public:
    // Adds a block to the list.
    void push(buffer_block& block) noexcept {
        block.next = first_;
        first_ = &block;
    }
    // Whether the list has no block.
    [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
    // Returns nullptr if the list is empty.
    [[nodiscard]] buffer_block* pop() noexcept {
        buffer_block* const block = first_;
        if (block != nullptr) first_ = block->next;
        return block;
    }

private:
    buffer_block* first_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI
