// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/detail/weak_word.hpp>
#include <freehold/detail/terminate.hpp>

namespace freehold::inline FREEHOLD_ABI::detail::weak_word {

void overflow() noexcept {
    terminate_with("a count of owners has overflowed; handles are being leaked");
}

void used_at_rest() noexcept {
    terminate_with(
        "a handle was released or copied whose object has no owners any more; it was released once "
        "too often, as by a destructor called twice or a copy of its bytes (the address sanitizer "
        "finds where)");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail::weak_word
