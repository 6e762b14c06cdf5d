// SPDX-License-Identifier: BSL-1.0
// An array of free blocks that threads exchange as a whole, and the shelf that finds a magazine by
// its number.
// A magazine belongs to one thread at a time, or is in a magazine_stack. Its memory lives as long
// as its shelf. So a thread may read `next` of a magazine that another thread has just taken.
#pragma once

#include <freehold/config.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

struct magazine {
    // The number of the next magazine in the stack, plus one; 0 if there is none.
    std::atomic<std::uint32_t> next{0};
    std::uint32_t number;

    explicit magazine(std::uint32_t own) noexcept : number(own) {}

    // The array of blocks is behind the header, from the next cache line on.
    static constexpr std::size_t header = 64;
    [[nodiscard]] void** blocks() noexcept {
        return reinterpret_cast<void**>(reinterpret_cast<std::byte*>(this) + header);
    }
    // Moves the cache lines of `size` blocks to this processor, by a store to each. The thread that
    // fills the magazine again then gets the lines from one processor that holds them exclusively.
    // Lines that this processor has only read take a Zen 4 longer to write. Then making, sending,
    // copying and releasing a handle without reading its packet takes 1.25 to 1.4 times as long.
    void take_over(std::size_t size) noexcept {
        void** const all = blocks();
        for (std::size_t i = 0; i < size; i += 64 / sizeof(void*)) {
            // Relaxed: no other thread uses the magazine now. Atomic, so that the compiler keeps
            // the store.
            void* const block = __atomic_load_n(all + i, __ATOMIC_RELAXED);
            __atomic_store_n(all + i, block, __ATOMIC_RELAXED);
        }
    }
    // The distance in bytes from one magazine to the next. It is an odd number of cache lines, so
    // that the starts of many magazines do not compete for a few sets of the caches.
    [[nodiscard]] static constexpr std::size_t stride(std::size_t size) noexcept {
        const std::size_t lines = (header + size * sizeof(void*) + 63) / 64;
        return (lines | 1) * 64;
    }
};

// All magazines of a depot. Finding one is thread-safe and takes a few instructions. Making one is
// not thread-safe: the depot's mutex guards it.
class magazine_shelf {
public:
    constexpr explicit magazine_shelf(std::size_t magazine_size) noexcept
        : stride_(magazine::stride(magazine_size)) {}
    magazine_shelf(const magazine_shelf&) = delete;
    magazine_shelf& operator=(const magazine_shelf&) = delete;
    ~magazine_shelf() {
        for (std::atomic<std::byte*>& board : boards_) {
            ::operator delete(board.load(std::memory_order_relaxed), std::align_val_t(64));
        }
    }

    [[nodiscard]] magazine& operator[](std::uint32_t number) const noexcept {
        const place at = place_of(number);
        // Relaxed: a thread has a number only through an exchange that happened after the board was
        // added.
        std::byte* const board = boards_[at.board].load(std::memory_order_relaxed);
        return *std::launder(reinterpret_cast<magazine*>(board + at.offset * stride_));
    }

    [[nodiscard]] std::uint32_t made() const noexcept { return made_; }
    // The number of magazines for which there is memory.
    [[nodiscard]] std::uint32_t room() const noexcept { return room_; }
    // The bytes of the board that would make room. It is aligned to 64.
    [[nodiscard]] std::size_t board_size() const noexcept {
        return (room_ == 0 ? first_board : room_) * stride_;
    }
    // Takes over memory of board_size() bytes that operator new allocated.
    void add_board(void* memory) noexcept {
        // Relaxed: see operator[].
        boards_[place_of(room_).board].store(static_cast<std::byte*>(memory),
                                             std::memory_order_relaxed);
        room_ += room_ == 0 ? first_board : room_;
    }
    [[nodiscard]] magazine& make() noexcept {
        const std::uint32_t number = made_++;
        return *::new (static_cast<void*>(&(*this)[number])) magazine(number);
    }

private:
    static constexpr std::uint32_t first_board = 1;
    struct place {
        std::size_t board;
        std::size_t offset;
    };
    // Each board after the first holds as many magazines as all boards before it.
    [[nodiscard]] static constexpr place place_of(std::uint32_t number) noexcept {
        if (number < first_board) return {0, number};
        const auto board = static_cast<std::size_t>(std::bit_width(number / first_board));
        return {board, number - (std::size_t{first_board} << (board - 1))};
    }

    std::array<std::atomic<std::byte*>, 28> boards_{};
    std::size_t stride_;
    std::uint32_t made_ = 0;
    std::uint32_t room_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
