// SPDX-License-Identifier: BSL-1.0
// What it is: how threads sleep on a number, and are woken.
#pragma once

#include <freehold/handle/detail/atomic/notifications.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

// The standard library's atomic knows how a thread sleeps on this system.
[[nodiscard]] inline std::atomic<std::uint32_t>& as_standard(
    atomic<std::uint32_t>& number) noexcept {
    using standard = std::atomic<std::uint32_t>;
    static_assert(sizeof(standard) == sizeof(number) && std::is_standard_layout_v<standard>);
    return reinterpret_cast<standard&>(number);
}

void notification_number::wait(std::uint32_t seen) noexcept {
    // relaxed: the caller reads again what it acts upon.
    as_standard(value).wait(seen, std::memory_order_relaxed);
}
void notification_number::notify_all() noexcept {
    as_standard(value).notify_all();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
