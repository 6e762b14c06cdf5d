// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"
#include "subjects/loki.hpp"

namespace lab::handles {

struct loki_linked : handle_subject {
    static constexpr identity is = {.name = "Loki linked",
                                    .family = family::other,
                                    .order = 10,
                                    .folded = true,
                                    .from = &loki_library};

#if LAB_HAS_LOKI
    template <class T>
    using handle = Loki::SmartPtr<T, Loki::RefLinked, Loki::DisallowConversion, Loki::NoCheck>;
#endif
};

}  // namespace lab::handles
