// SPDX-License-Identifier: BSL-1.0
// How often something happened to buffers of one class of sizes, and how many bytes that was: one
// thread counts, any may read.
//
// A word holds the number of events, the bytes asked for and those handed out of the last of them,
// so that one addition counts all three. When the number of events leaves the word at its upper
// end, the word is full, and is poured into sums of full width. Whoever reads what the thread wrote
// sees all that it did before.
#pragma once

#include <freehold/memory/sanitizers.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

struct event_sums {
    std::uint64_t events = 0;
    std::uint64_t asked = 0;
    std::uint64_t handed_out = 0;
};

// A word that counts so, since it was last poured out.
class event_word {
public:
    // Events of so many bytes or more are not for it: their sums might leave their fields.
    static constexpr std::size_t too_many_bytes = std::size_t{1} << 21;

    // By the one thread, as pour_out: whether it is full now, and to be poured out.
    [[nodiscard, gnu::always_inline]] bool add(std::size_t asked, std::size_t handed_out) noexcept {
        const std::uint64_t more = one_event + (std::uint64_t{asked} << bits_of_sum) + handed_out;
#if defined(__x86_64__)
        // What is said below in one instruction, which compilers do not make of it. It is not
        // locked: only one thread writes; and all that it writes, others see in that order.
        if constexpr (!under_thread_sanitizer) {
            bool full;
            asm("addq %2, %1" : "=@ccc"(full), "+m"(word_) : "r"(more));
            return full;
        }
#endif
        const std::uint64_t sum = word_ + more;
        set(sum);
        return sum < more;
    }
    // By any thread.
    [[nodiscard]] event_sums get() const noexcept {
        const std::uint64_t now = __atomic_load_n(&word_, __ATOMIC_ACQUIRE);  // see above
        // Bytes without an event: it is full, for no buffer is without a byte.
        const bool full = now < one_event && (now & most_sum) != 0;
        return {full ? events_of_full : now / one_event, now % one_event >> bits_of_sum,
                now & most_sum};
    }
    // What it held; it is empty afterwards.
    [[nodiscard]] event_sums pour_out() noexcept {
        const event_sums sums = get();
        set(0);
        return sums;
    }

private:
    // From the lowest bit: bytes handed out, bytes asked for, a bit that stays 0, events.
    static constexpr int bits_of_sum = 28;
    static constexpr int bits_of_events = 7;
    static constexpr std::uint64_t most_sum = (std::uint64_t{1} << bits_of_sum) - 1;
    static constexpr std::uint64_t one_event = std::uint64_t{1} << (64 - bits_of_events);
    static constexpr std::uint64_t events_of_full = std::uint64_t{1} << bits_of_events;
    static_assert(events_of_full * (too_many_bytes - 1) <= most_sum);

    void set(std::uint64_t to) noexcept {
        __atomic_store_n(&word_, to, __ATOMIC_RELEASE);  // see above
    }

    std::uint64_t word_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
