// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/qshared_pointer.hpp"

#include <utility>

namespace lab {

struct qshared_pointer_create : qshared_pointer {
    static constexpr const char* name = "QSharedPointer::create";

#ifdef FREEHOLD_LAB_HAS_QT
    template <class T, class... Arguments>
    static QSharedPointer<T> make(Arguments&&... arguments) {
        return QSharedPointer<T>::create(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab
