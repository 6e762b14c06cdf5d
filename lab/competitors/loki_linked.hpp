// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#ifdef FREEHOLD_LAB_HAS_LOKI
#include <loki/SmartPtr.h>
#endif

namespace lab {

struct loki_linked : competitor {
    static constexpr const char* name = "Loki linked";

#ifdef FREEHOLD_LAB_HAS_LOKI
    template <class T>
    using handle = Loki::SmartPtr<T, Loki::RefLinked, Loki::DisallowConversion, Loki::NoCheck>;
#else
    static constexpr const char* missing = "install Loki (Debian: libloki-dev)";
#endif
};

}  // namespace lab
