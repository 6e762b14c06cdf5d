// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#ifdef FREEHOLD_LAB_HAS_QT
// Qt refuses position-independent executables, lest they copy its library's data; none is used
// here.
#pragma push_macro("__PIE__")
#undef __PIE__
#include <QtCore/QSharedPointer>
#pragma pop_macro("__PIE__")
#endif

namespace lab {

struct qshared_pointer : competitor {
    static constexpr const char* name = "QSharedPointer";

#ifdef FREEHOLD_LAB_HAS_QT
    template <class T>
    using handle = QSharedPointer<T>;

    template <class T>
    using weak = QWeakPointer<T>;
#else
    static constexpr const char* missing = "install Qt's headers (Debian: qtbase5-dev)";
#endif
};

}  // namespace lab
