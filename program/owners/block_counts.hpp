// SPDX-License-Identifier: BSL-1.0
// The counts in a block.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/memory_image.hpp"

#include <cstdint>

namespace freehold {

// More owners than this are no count: their handles would fill a gigabyte at least.
constexpr std::uint64_t most_owners = std::uint64_t{1} << 27;

inline std::uint64_t count_in(const memory_image& image, std::uint64_t block,
                              const known_blocks::count_field& field) {
    const std::uint64_t at = block + field.at;
    std::uint64_t value = 0;
    // Beside a number, as of a float, only a count below 16 is kept.
    const auto mark = [&] { return image.mark(at).value_or(0); };
    if (field.bytes == 4) {
        const auto read = image.value<std::uint32_t>(at);
        value = read ? *read : mark();
    } else {
        const auto read = image.value<std::uint64_t>(at);
        value = read ? *read : mark();
    }
    value >>= field.first_bit;
    if (field.bits < 64) value &= (std::uint64_t{1} << field.bits) - 1;
    return value + static_cast<std::uint64_t>(field.more);
}

/// Returns 0 if the object has ended.
inline std::uint64_t owners_at(const memory_image& image, std::uint64_t block,
                               const block_kind& kind) {
    if (kind.rings != nullptr) return kind.rings->owners_of(block);
    const known_blocks::count_layout& counts = *kind.counts;
    block += kind.count_at;
    if (counts.dead && count_in(image, block, *counts.dead) == counts.dead_is) return 0;
    return count_in(image, block, counts.owners);
}

inline std::uint64_t weak_at(const memory_image& image, std::uint64_t block,
                             const block_kind& kind) {
    const auto& weak = kind.counts->weak;
    if (!weak) return 0;
    const std::uint64_t found = count_in(image, block + kind.count_at, *weak);
    return weak->has_owners ? found - owners_at(image, block, kind) : found;
}

/// Whether owners are counted elsewhere, too.
inline bool is_counted_apart(const memory_image& image, std::uint64_t block,
                             const block_kind& kind) {
    const auto& apart = kind.counts->apart;
    return apart && count_in(image, block + kind.count_at, *apart) != 0;
}

/// Returns the number of elements of an array, and 1 for another object.
inline std::uint64_t elements_at(const memory_image& image, std::uint64_t block,
                                 const block_kind& kind) {
    return kind.element == 0 ? 1 : image.word_or_zero(block + kind.number_at);
}

/// Whether the counts may be those of an object that is alive.
inline bool may_be_alive(const memory_image& image, std::uint64_t block, const block_kind& kind) {
    if (is_counted_apart(image, block, kind)) return true;
    const std::uint64_t owners = owners_at(image, block, kind);
    return owners != 0 && owners <= most_owners && weak_at(image, block, kind) <= most_owners;
}

}  // namespace freehold
