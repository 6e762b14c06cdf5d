// SPDX-License-Identifier: BSL-1.0
// Which line of an object holds which bytes. It shifts if the size is a power of two, because a
// division takes as long as the rest of a hit.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_geometry {
public:
    explicit line_geometry(std::size_t line_size) noexcept
        : size_(line_size),
          shift_(std::has_single_bit(line_size) ? std::countr_zero(line_size) : 0) {}

    [[nodiscard]] std::uint64_t number_at(std::uint64_t offset) const noexcept {
        return shift_ != 0 ? offset >> shift_ : offset / size_;
    }
    // How many bytes of the line that starts at `begin_of_line` are needed for the given range of
    // the object. More than the line has if the range goes beyond it.
    [[nodiscard]] static std::uint64_t end_from(std::uint64_t begin_of_line, std::uint64_t offset,
                                                std::uint64_t size) noexcept {
        constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
        if (size >= all - offset) return all;
        const std::uint64_t end = offset + size;
        return end > begin_of_line ? end - begin_of_line : 0;
    }
    // The same for the line that holds `offset`, and for at least one byte.
    [[nodiscard]] std::uint64_t end_in_line(std::uint64_t offset,
                                            std::uint64_t size) const noexcept {
        return end_from(number_at(offset) * size_, offset, std::max<std::uint64_t>(size, 1));
    }
    // An object of size 0 has one line of no bytes.
    [[nodiscard]] std::uint64_t lines_of(std::uint64_t object_size) const noexcept {
        return object_size == 0 ? 1 : number_at(object_size - 1) + 1;
    }

private:
    std::uint64_t size_;
    int shift_;
};

// Adjacent lines of an object.
struct line_run {
    std::uint64_t first = 0;  // the number of the first line
    std::uint64_t lines = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
