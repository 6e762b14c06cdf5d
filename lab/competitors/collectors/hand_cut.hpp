// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/collectors/collector.hpp"

#include <memory>

namespace lab {

/// Nobody looks for cycles: whoever drops the last handle from outside has reset the edges before.
struct hand_cut : collector {
    static constexpr const char* name = "std::shared_ptr, cut by hand";
    static constexpr bool in_single = true;

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

}  // namespace lab
