// SPDX-License-Identifier: BSL-1.0
// A stack of numbers of which those that are near to the one below take one or two bytes.
#pragma once

#include "owners/edge_lists.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace freehold {

class delta_stack {
public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::uint64_t top() const { return top_; }
    void push(std::uint64_t value) {
        std::uint64_t left = folded(static_cast<std::int64_t>(value - top_));
        std::uint8_t bytes[10];
        unsigned count = 0;
        do {
            bytes[count++] = static_cast<std::uint8_t>(left | 128);
            left >>= 7;
        } while (left != 0);
        bytes[count - 1] &= 127;
        // They are read from the end.
        while (count != 0) push_byte(bytes[--count]);
        top_ = value;
        ++size_;
    }
    /// Takes the number out that was pushed last. There must be one.
    std::uint64_t pop() {
        std::uint64_t distance = 0;
        std::uint8_t byte = 128;
        for (unsigned shift = 0; (byte & 128) != 0; shift += 7) {
            byte = pop_byte();
            distance |= std::uint64_t{byte & 127U} << shift;
        }
        const std::uint64_t result = top_;
        top_ -= static_cast<std::uint64_t>(unfolded(distance));
        --size_;
        return result;
    }

private:
    static constexpr std::size_t bytes_of_block = std::size_t{1} << 16;
    using block = std::unique_ptr<std::uint8_t[]>;

    void push_byte(std::uint8_t byte) {
        if (used_ == bytes_of_block) {
            blocks_.push_back(spare_ ? std::move(spare_) : block(new std::uint8_t[bytes_of_block]));
            used_ = 0;
        }
        blocks_.back()[used_++] = byte;
    }
    std::uint8_t pop_byte() {
        const std::uint8_t result = blocks_.back()[--used_];
        if (used_ == 0) {
            spare_ = std::move(blocks_.back());
            blocks_.pop_back();
            used_ = bytes_of_block;
        }
        return result;
    }

    std::vector<block> blocks_;
    block spare_;                        // one that was used before
    std::size_t used_ = bytes_of_block;  // of the last block
    std::uint64_t top_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace freehold
