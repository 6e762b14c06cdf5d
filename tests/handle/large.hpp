// SPDX-License-Identifier: BSL-1.0
// An object that no common pool has room for, so that each of its blocks is a new allocation.
#pragma once

#include <array>

namespace freehold::tests {

struct large {
    static inline int alive = 0;
    large() { ++alive; }
    large(const large& other) : bytes(other.bytes) { ++alive; }
    large& operator=(const large&) = default;
    ~large() { --alive; }
    std::array<char, 20'000> bytes{};
};

}  // namespace freehold::tests
