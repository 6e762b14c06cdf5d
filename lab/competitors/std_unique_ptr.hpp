// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#include <memory>
#include <utility>

namespace lab {

struct std_unique_ptr : competitor {
    static constexpr const char* name = "std::unique_ptr";
    static constexpr bool in_single = true;

    template <class T>
    using handle = std::unique_ptr<T>;

    /// It has one owner: where the others copy, it moves.
    template <class T>
    static std::unique_ptr<T>&& copy(std::unique_ptr<T>& from) noexcept {
        return std::move(from);
    }
};

}  // namespace lab
