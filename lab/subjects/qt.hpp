// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"

#ifdef FREEHOLD_LAB_HAS_QT
#define LAB_HAS_QT 1
// Qt refuses position-independent executables, because they could copy its library's data. The lab
// uses no such data.
#pragma push_macro("__PIE__")
#undef __PIE__
#include <QtCore/QSharedPointer>
#pragma pop_macro("__PIE__")
#else
#define LAB_HAS_QT 0
#endif

namespace lab {

#if LAB_HAS_QT
inline constexpr origin qt_headers = {"Qt", QT_VERSION_STR, ""};
#else
inline constexpr origin qt_headers = {
    "Qt", "", LAB_ONLY_IN_FULL("install Qt's headers (Debian: qtbase5-dev)")};
#endif

}  // namespace lab
