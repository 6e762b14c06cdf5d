// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"

#ifdef FREEHOLD_LAB_HAS_LOKI
#define LAB_HAS_LOKI 1
#include <loki/SmartPtr.h>
#else
#define LAB_HAS_LOKI 0
#endif

namespace lab {

#if LAB_HAS_LOKI
inline constexpr origin loki_library = {"Loki", LAB_LOKI_VERSION, ""};
#else
inline constexpr origin loki_library = {"Loki", "", "install Loki (Debian: libloki-dev)"};
#endif

}  // namespace lab
