// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"

#include <memory>
#include <utility>

namespace lab::handles {

struct std_unique_ptr : handle_subject {
    static constexpr identity is = {
        .name = "std::unique_ptr", .family = family::standard, .order = 1, .single = true};

    template <class T>
    using handle = std::unique_ptr<T>;

    /// The handle has one owner, so it is moved where other handles are copied.
    template <class T>
    static std::unique_ptr<T>&& copy(std::unique_ptr<T>& from) noexcept {
        return std::move(from);
    }
};

}  // namespace lab::handles
