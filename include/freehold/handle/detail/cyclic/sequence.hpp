// SPDX-License-Identifier: BSL-1.0
// What it is: a sequence that grows in blocks, for the collector's candidates and sets. Elements
// never move, so no push takes long. push_back returns false if an allocation fails, and does not
// throw.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Invariant: if the sequence is not empty, the last block ends at block_end_, and its elements end
// at next_. That block holds at least one element.
template <class T>
class block_sequence {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    block_sequence() = default;
    block_sequence(const block_sequence&) = delete;
    block_sequence& operator=(const block_sequence&) = delete;
    ~block_sequence() { shrink_to(0); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept {
        return blocks_[i / block_length][i % block_length];
    }
    [[nodiscard]] T& back() noexcept { return next_[-1]; }

    // Returns false, and changes nothing, if memory is exhausted.
    [[nodiscard]] bool push_back(const T& value) noexcept {
        if (next_ == block_end_ && !enter_next_block()) return false;
        ::new (static_cast<void*>(next_++)) T(value);
        ++size_;
        return true;
    }

    void pop_back() noexcept {
        --next_;
        if (--size_ % block_length == 0 && size_ != 0) end_at(size_ / block_length);
    }

    // Keeps the first block. A program in a steady state needs no more.
    void clear() noexcept {
        size_ = 0;
        shrink_to(1);
        next_ = block_end_ = nullptr;
    }

private:
    static constexpr std::size_t block_length = 1024;

    // Sets the end of the sequence. Its elements fill `blocks` blocks entirely.
    void end_at(std::size_t blocks) noexcept {
        next_ = block_end_ = blocks_[blocks - 1] + block_length;
    }

    [[gnu::noinline, gnu::cold]] bool enter_next_block() noexcept {
        const std::size_t block = size_ / block_length;
        if (block == allocated_ && !allocate()) return false;
        next_ = blocks_[block];
        block_end_ = next_ + block_length;
        return true;
    }

    bool allocate() noexcept {
        if (allocated_ == room_) {
            const std::size_t more = room_ == 0 ? 16 : room_ * 2;
            T** const longer = new (std::nothrow) T*[more];
            if (!longer) return false;
            for (std::size_t i = 0; i < allocated_; ++i) longer[i] = blocks_[i];
            delete[] std::exchange(blocks_, longer);
            room_ = more;
        }
        void* const block = ::operator new(block_length * sizeof(T), std::nothrow);
        if (!block) return false;
        blocks_[allocated_++] = static_cast<T*>(block);
        return true;
    }

    void shrink_to(std::size_t kept) noexcept {
        while (allocated_ > kept) ::operator delete(blocks_[--allocated_]);
        if (kept == 0) delete[] std::exchange(blocks_, nullptr);
    }

    T* next_ = nullptr;
    T* block_end_ = nullptr;
    std::size_t size_ = 0;
    T** blocks_ = nullptr;
    std::size_t allocated_ = 0;  // blocks
    std::size_t room_ = 0;       // of blocks_
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
