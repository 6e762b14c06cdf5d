// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace lab {

/// What is owned: trivial but for a count, which only the intrusive subjects use and all carry,
/// so that every subject allocates and frees the same number of bytes.
template <class Subject>
struct pointee : Subject::template base<pointee<Subject>> {
    pointee() noexcept = default;
    explicit pointee(std::uint64_t v) noexcept : value(v) {}

    std::uint64_t value = 0;
};

}  // namespace lab
