// SPDX-License-Identifier: BSL-1.0
// What it is: the numbers on which threads sleep until an atomic pointer changes. A notification
// changes a number. The pointer's own words have no room for one, and may change while their
// addresses stay (a new pointer with the same counts).
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

struct alignas(64) notification_number {
    atomic<std::uint32_t> value{0};

    // Blocks the calling thread until it is notified, unless the value is no longer `seen`. May
    // return without either.
    FREEHOLD_API void wait(std::uint32_t seen) noexcept;
    FREEHOLD_API void notify_all() noexcept;
};

inline constexpr std::size_t notification_count = 16;
[[gnu::visibility(
    "default")]] inline constinit notification_number notification_numbers[notification_count]{};

// Shared by some atomics: a thread that is woken looks whether it is meant.
[[nodiscard]] inline notification_number& notifications_of(const void* atomic) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(atomic);
    return notification_numbers[(address / 8 ^ address / 4096) % notification_count];
}

template <class Holds>
void wait_while(const void* atomic, Holds holds) noexcept {
    notification_number& notifications = notifications_of(atomic);
    for (;;) {
        // acquire: a thread that sees a notification sees the store before it. Read before the
        // atomic: a notification in between has changed the number by the time that it is waited
        // on.
        const std::uint32_t seen = notifications.value.load(std::memory_order_acquire);
        if (!holds()) return;
        notifications.wait(seen);
    }
}

inline void notify_all_of(const void* atomic) noexcept {
    notification_number& notifications = notifications_of(atomic);
    // release: pairs with the acquire above.
    notifications.value.fetch_add(1, std::memory_order_release);
    notifications.notify_all();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/handle/detail/atomic/notifications_inl.hpp>
#endif
