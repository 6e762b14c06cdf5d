// SPDX-License-Identifier: BSL-1.0
// How many handles are in each ring of linked handles, as freehold::linked_ptr. Such handles have
// no count: each is a pointer to the object, and links to the handle before and behind it.
#pragma once

#include "owners/memory_image.hpp"
#include "owners/pool_map.hpp"

#include <cstdint>
#include <unordered_map>

namespace freehold {

class linked_rings {
public:
    /// Reads all rings. Of a ring, all handles have the same pointer.
    void find(const memory_image& image, const words_of_program& words) {
        constexpr std::uint64_t word = bytes_of_word;
        words([&](std::uint64_t address, std::uint64_t object) {
            if (image.find(object) == nullptr) return;
            const std::uint64_t link = address + word;
            const std::uint64_t previous = image.word_or_zero(link);
            const std::uint64_t next = image.word_or_zero(link + word);
            if (previous == 0 || next == 0 || image.word_or_zero(previous + word) != link ||
                image.word_or_zero(next) != link)
                return;
            if (image.word_or_zero(previous - word) == object &&
                image.word_or_zero(next - word) == object)
                ++owners_[object];
        });
    }
    /// Calls `use(object)` for each object of a ring.
    template <class Use>
    void for_each_object(Use use) const {
        for (const auto& [object, owners] : owners_) use(object);
    }
    [[nodiscard]] std::uint64_t owners_of(std::uint64_t object) const {
        const auto found = owners_.find(object);
        return found == owners_.end() ? 0 : found->second;
    }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> owners_;
};

}  // namespace freehold
