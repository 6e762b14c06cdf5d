// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/shared_identities.hpp"
#include "subjects/unprotected_pointer.hpp"

namespace lab::pointers {

/// A plain load of the pointer, and stores that free nothing.
struct lower_bound : pointer_subject {
    static constexpr identity is = identities::lower_bound;
    static constexpr bool protects = false;

    template <class T>
    using pointer = unprotected_pointer<T, false>;
};

}  // namespace lab::pointers
