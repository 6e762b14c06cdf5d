// SPDX-License-Identifier: BSL-1.0
// What is in the objects that tests of sources read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace freehold::contracts {

// Differs from object to object, and within each.
inline std::vector<std::byte> content_of(const std::string& object, std::size_t size) {
    std::uint64_t state = std::hash<std::string>()(object);
    std::vector<std::byte> content(size);  // NOLINT(freehold-hidden-zeroing): a test
    for (std::byte& byte : content) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        byte = static_cast<std::byte>(state >> 56);
    }
    return content;
}

inline std::vector<std::byte> part_of(const std::vector<std::byte>& content, std::size_t offset,
                                      std::size_t size) {
    const auto begin = content.begin() + std::ptrdiff_t(std::min(offset, content.size()));
    return {begin, begin + std::min<std::ptrdiff_t>(std::ptrdiff_t(size), content.end() - begin)};
}

}  // namespace freehold::contracts
