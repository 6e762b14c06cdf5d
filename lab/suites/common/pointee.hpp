// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace lab {

/// The object that handles own. It has room for a count, which only intrusive subjects use. So
/// every subject allocates and frees the same number of bytes.
template <class Subject>
struct pointee : Subject::template base<pointee<Subject>> {
    pointee() noexcept = default;
    explicit pointee(std::uint64_t v) noexcept : value(v) {}

    std::uint64_t value = 0;
};

}  // namespace lab
