// SPDX-License-Identifier: BSL-1.0
// What it is: a block of bytes from a buffer_cache, with one owner. Its destructor returns the
// block to the cache.
// When to use it: wherever bytes have one owner at a time. For several owners see
// make_shared_buffer.
// Example: `freehold::buffer packet = cache.get(1500);`
//
// Units: bytes. A buffer is one pointer; the block has a header of 32 bytes before its data.
// Complexity: constant. The destructor makes one virtual call; buffer_cache::put avoids it.
// Thread safety: distinct objects may be used by distinct threads at the same time. Any thread may
// destroy a buffer.
// Exceptions: none.
// Ownership: the cache owns the memory and must outlive the buffer.
// Source: none; an owning handle like std::unique_ptr.
#pragma once

#include <freehold/buffer/detail/buffer_owner.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
struct buffer_access;
}  // namespace detail

class buffer {
public:
    // An empty buffer: data() is nullptr, and size() is 0.
    buffer() noexcept = default;
    // A move leaves `other` empty. A buffer that is replaced or destroyed returns to its cache.
    buffer(buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    buffer& operator=(buffer&& other) noexcept {
        buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~buffer() { reset(); }

    // Returns the bytes to the cache. The buffer is empty afterwards.
    void reset() noexcept {
        if (buffer_block* const block = std::exchange(block_, nullptr)) {
            block->owner->give_back(*block);
        }
    }
    // Exchanges the bytes of two buffers.
    void swap(buffer& other) noexcept { std::swap(block_, other.block_); }

    // Whether the buffer is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
    // The first byte, or nullptr if the buffer is empty.
    [[nodiscard]] std::byte* data() const noexcept {
        return block_ != nullptr ? block_->data() : nullptr;
    }
    // The number of bytes that the caller of get asked for.
    [[nodiscard]] std::size_t size() const noexcept { return block_ != nullptr ? block_->size : 0; }
    // The number of bytes that may be used. At least size().
    [[nodiscard]] std::size_t capacity() const noexcept {
        return block_ != nullptr ? block_->capacity : 0;
    }
    // The size() bytes from data() on.
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data(), size()}; }

private:
    friend detail::buffer_access;
    explicit buffer(buffer_block& block) noexcept : block_(&block) {}

    buffer_block* block_ = nullptr;
};

namespace detail {

struct buffer_access {
    [[nodiscard]] static buffer own(buffer_block& block) noexcept { return buffer(block); }
    // Returns nullptr if the buffer is empty.
    [[nodiscard]] static buffer_block* release(buffer& from) noexcept {
        return std::exchange(from.block_, nullptr);
    }
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
