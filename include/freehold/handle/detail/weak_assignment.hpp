// SPDX-License-Identifier: BSL-1.0
// What it is: what an assignment to a weak handle does to the counts of both objects.
#pragma once

#include <freehold/config.hpp>
#include <freehold/count/reference_count.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Adds a weak reference to `next`, and then gives up one of `old`. Both may be null. Returns
// whether the caller has to free the memory of `old`. This function is not inlined: it serves the
// handles to all types, and the code of two counts would be longer than that of the rest of the
// assignment.
template <weak_reference_count Counts>
[[nodiscard, gnu::noinline]] bool replace_weak(Counts* old, Counts* next) noexcept {
    if (next != nullptr) next->increment_weak();
    return old != nullptr && old->decrement_weak();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
