// SPDX-License-Identifier: BSL-1.0
// A global operator new that counts what is allocated and fails when told, for one test executable.
#pragma once

namespace freehold::tests {

// From here on the k-th allocation of this thread fails (1 is the next); 0 lets all succeed.
void fail_allocation(long k) noexcept;

// Whether that allocation has been reached.
[[nodiscard]] bool has_failed() noexcept;

// Allocations of this thread that were not yet given back.
[[nodiscard]] long live_allocations() noexcept;

}  // namespace freehold::tests
