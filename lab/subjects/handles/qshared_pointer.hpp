// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"
#include "subjects/qt.hpp"

namespace lab::handles {

struct qshared_pointer : handle_subject {
    static constexpr identity is = {.name = "QSharedPointer",
                                    .family = family::other,
                                    .order = 13,
                                    .folded = true,
                                    .from = &qt_headers};

#if LAB_HAS_QT
    template <class T>
    using handle = QSharedPointer<T>;

    template <class T>
    using weak = QWeakPointer<T>;
#endif
};

}  // namespace lab::handles
