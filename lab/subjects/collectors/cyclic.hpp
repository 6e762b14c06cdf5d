// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/cyclic_ptr.hpp>

#include "subjects/collector.hpp"

namespace lab::collectors {

/// Collections run in slices when objects are made. This is the library's default.
struct cyclic : collector_subject {
    static constexpr identity is = {.name = "cyclic", .family = family::strategy, .order = 5};

    template <class T>
    using handle = freehold::cyclic_ptr<T>;

    template <class T>
    static freehold::cyclic_ptr<T> make() {
        return freehold::make_cyclic<T>();
    }

    static void settle() { freehold::collect_cycles(); }
};

}  // namespace lab::collectors
