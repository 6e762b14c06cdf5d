// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/collector.hpp"

#include <memory>

namespace lab::collectors {

/// No code looks for cycles. The suite resets the edges before it drops the last handle from
/// outside.
struct std_shared_ptr_cut_by_hand : collector_subject {
    static constexpr identity is = {.name = "std::shared_ptr, cut by hand",
                                    .family = family::standard,
                                    .order = 12,
                                    .single = true};

    template <class T>
    using handle = std::shared_ptr<T>;

    template <class T>
    static std::shared_ptr<T> make() {
        return std::make_shared<T>();
    }

    template <class T>
    static void cut(std::shared_ptr<T>& edge) noexcept {
        edge.reset();
    }
};

}  // namespace lab::collectors
