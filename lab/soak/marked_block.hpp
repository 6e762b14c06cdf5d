// SPDX-License-Identifier: BSL-1.0
// A block of a pool in use. It contains a pattern that differs from that of all other allocations.
//
// Three words are written: at the start, at the end and at a place between them. That is enough to
// notice that another thread has the block too, and cheap enough for a billion allocations.
#pragma once

#include <freehold/memory/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace soak {

class marked_block {
public:
    // `token` is a random number, so that hardly any other allocation has the same.
    static marked_block make(const freehold::pool& from, void* place, std::uint64_t token) {
        const marked_block made(place, token);
        std::uint64_t* const words = made.words_;
        // The block was never used, or it was used and freed.
        if (words[0] != 0 && words[0] != free_mark(place)) {
            made.complain(from,
                          "was allocated although it is in use, or was written to while free");
        }
        const std::size_t last = from.block_size() / sizeof(std::uint64_t) - 1;
        words[0] = token;
        words[made.between(last)] = token * 3;
        words[last] = ~token;
        return made;
    }

    // Returns the block's address, so that the caller can free it.
    [[nodiscard]] void* unmark(const freehold::pool& to) const {
        const std::size_t last = to.block_size() / sizeof(std::uint64_t) - 1;
        if (words_[0] != token_ || words_[between(last)] != token_ * 3 || words_[last] != ~token_) {
            complain(to, "was written to by somebody else while in use");
        }
        words_[0] = free_mark(words_);
        return words_;
    }

private:
    marked_block(void* place, std::uint64_t token) noexcept
        : words_(static_cast<std::uint64_t*>(place)), token_(token) {}

    static std::uint64_t free_mark(const void* place) noexcept {
        return reinterpret_cast<std::uintptr_t>(place) ^ 0xF4EE'B10C'F4EE'B10CU;
    }
    [[nodiscard]] std::size_t between(std::size_t last) const noexcept {
        return 1 + token_ % (last - 1);
    }
    [[noreturn]] void complain(const freehold::pool& where, const char* what) const {
        char address[32];
        std::snprintf(address, sizeof address, "%p", static_cast<void*>(words_));
        throw std::runtime_error("pool '" + where.name() + "': block " + address + " " + what);
    }

    std::uint64_t* words_;
    std::uint64_t token_;
};

}  // namespace soak
