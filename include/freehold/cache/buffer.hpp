// SPDX-License-Identifier: BSL-1.0
// So many bytes for one owner, which go back to the buffer_cache that they came from when their
// owner lets go of them: on any thread, but before the cache is destroyed.
//
// Costs a pointer; 32 bytes before the buffer's own say how large it is. Letting go takes an
// indirect call; cache.put(std::move(buffer)) is the same without. One object is for one thread at
// a time, different ones are for different threads. Throws nothing.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>
#include <freehold/cache/buffers/buffer_part.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
struct buffer_access;
}  // namespace detail

class buffer {
public:
    // None: no data, and a size of 0.
    buffer() noexcept = default;
    buffer(buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    buffer& operator=(buffer&& other) noexcept {
        buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~buffer() { reset(); }

    void reset() noexcept {
        if (detail::buffer_block* const block = std::exchange(block_, nullptr)) {
            block->owner->give_back(*block);
        }
    }
    void swap(buffer& other) noexcept { std::swap(block_, other.block_); }

    [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
    [[nodiscard]] std::byte* data() const noexcept {
        return block_ != nullptr ? block_->data() : nullptr;
    }
    // Bytes that were asked for.
    [[nodiscard]] std::size_t size() const noexcept { return block_ != nullptr ? block_->size : 0; }
    // Bytes that may be used.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return block_ != nullptr ? block_->capacity : 0;
    }
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data(), size()}; }

private:
    friend detail::buffer_access;
    explicit buffer(detail::buffer_block& block) noexcept : block_(&block) {}

    detail::buffer_block* block_ = nullptr;
};

namespace detail {

struct buffer_access {
    [[nodiscard]] static buffer own(buffer_block& block) noexcept { return buffer(block); }
    // nullptr if it has none.
    [[nodiscard]] static buffer_block* release(buffer& from) noexcept {
        return std::exchange(from.block_, nullptr);
    }
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
