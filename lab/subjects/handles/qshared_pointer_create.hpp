// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/qshared_pointer.hpp"

#include <utility>

namespace lab::handles {

struct qshared_pointer_create : qshared_pointer {
    static constexpr identity is = {.name = "QSharedPointer::create",
                                    .family = family::other,
                                    .order = 14,
                                    .folded = true,
                                    .from = &qt_headers};

#if LAB_HAS_QT
    template <class T, class... Arguments>
    static QSharedPointer<T> make(Arguments&&... arguments) {
        return QSharedPointer<T>::create(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab::handles
