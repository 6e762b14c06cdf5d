// SPDX-License-Identifier: BSL-1.0
// What it is: how long a thread waits after it has met another thread at the same word.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Leaves the line to others for so long that its way there and back is little beside it: 0.75 to
// 1.5 us, not always the same, for two that wait equally long meet again.
[[gnu::cold]] FREEHOLD_API void contention_pause() noexcept;

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/detail/contention_pause_inl.hpp>
#endif
