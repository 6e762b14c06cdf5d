// SPDX-License-Identifier: BSL-1.0
// A counter of events and of their bytes in one word, so that one addition counts all three: the
// number of events, the bytes asked for, and the bytes handed out. One thread counts, any thread
// reads.
//
// The number of events is in the highest bits. When it overflows, the counter is full and must be
// drained into sums of full width. All stores are releases and all loads acquire: a thread that
// reads the word also sees what the writer counted before.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/sanitizers.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

struct event_sums {
    std::uint64_t events = 0;
    std::uint64_t asked = 0;
    std::uint64_t handed_out = 0;
};

// The word, since it was last drained.
class packed_counter {
public:
    // Sizes of this many bytes or more do not fit: their sums might overflow a field.
    static constexpr std::size_t size_limit = std::size_t{1} << 21;

    // Only the counting thread may call this function and drain. Returns true if the counter is
    // full and must be drained.
    [[nodiscard, gnu::always_inline]] bool add(std::size_t asked, std::size_t handed_out) noexcept {
        const std::uint64_t more = one_event + (std::uint64_t{asked} << bits_of_sum) + handed_out;
#if defined(__x86_64__)
        // One instruction for the code below; compilers do not generate it. It needs no lock
        // prefix, because only one thread writes, and x86-64 makes a thread's stores visible in
        // order.
        if constexpr (!under_thread_sanitizer) {
            bool full;
            asm("addq %2, %1" : "=@ccc"(full), "+m"(packed_) : "r"(more));
            return full;
        }
#endif
        const std::uint64_t sum = packed_ + more;
        set(sum);
        return sum < more;
    }
    // Any thread may call this.
    [[nodiscard]] event_sums get() const noexcept {
        // acquire: see above.
        const std::uint64_t now = __atomic_load_n(&packed_, __ATOMIC_ACQUIRE);
        // Bytes without an event mean that the counter is full, because each buffer has at least
        // one byte.
        const bool full = now < one_event && (now & most_sum) != 0;
        return {full ? events_of_full : now / one_event, now % one_event >> bits_of_sum,
                now & most_sum};
    }
    // Returns the contents and clears the counter.
    [[nodiscard]] event_sums drain() noexcept {
        const event_sums sums = get();
        set(0);
        return sums;
    }

private:
    // From the lowest bit: 28 bits of bytes handed out, 28 of bytes asked for, one that stays 0,
    // and 7 of events.
    static constexpr int bits_of_sum = 28;
    static constexpr int bits_of_events = 7;
    static constexpr std::uint64_t most_sum = (std::uint64_t{1} << bits_of_sum) - 1;
    static constexpr std::uint64_t one_event = std::uint64_t{1} << (64 - bits_of_events);
    static constexpr std::uint64_t events_of_full = std::uint64_t{1} << bits_of_events;
    static_assert(events_of_full * (size_limit - 1) <= most_sum);

    void set(std::uint64_t to) noexcept {
        __atomic_store_n(&packed_, to, __ATOMIC_RELEASE);  // release: see above
    }

    std::uint64_t packed_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
