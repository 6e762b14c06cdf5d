// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/shared_identities.hpp"
#include "subjects/unprotected_pointer.hpp"

namespace lab::pointers {

/// The same with the counting that every reader needs that owns the object.
struct locked_pair : pointer_subject {
    static constexpr identity is = identities::locked_pair;
    static constexpr bool protects = false;

    template <class T>
    using pointer = unprotected_pointer<T, true>;
};

}  // namespace lab::pointers
