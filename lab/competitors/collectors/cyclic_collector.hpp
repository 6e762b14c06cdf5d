// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/cyclic_ptr.hpp>

#include "competitors/collectors/collector.hpp"

namespace lab {

/// Collections happen in slices where objects are made, as the library does them by itself.
struct cyclic_collector : collector {
    static constexpr const char* name = "cyclic";

    template <class T>
    using handle = freehold::cyclic_ptr<T>;

    template <class T>
    static freehold::cyclic_ptr<T> make() {
        return freehold::make_cyclic<T>();
    }

    static void settle() { freehold::collect_cycles(); }
};

}  // namespace lab
