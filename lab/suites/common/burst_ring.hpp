// SPDX-License-Identifier: BSL-1.0
// A bounded queue of bursts from one thread to one other. It is Lamport's ring. Each end publishes
// its position once for each burst. It reads the other end's position only when it has used up the
// part that it last saw (as in FastFlow and MCRingBuffer). No queue shares much less, so the
// figures show the cost of the elements and not of the queue.
#pragma once

#include "suites/common/spin_until.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace lab {

/// Positions count bursts and never decrease. The bursts from `taken` up to `put` hold elements,
/// and `put - taken <= Bursts`. Only the giving thread writes `put`, and only the taking thread
/// writes `taken`. Both must be equal when the ring is destroyed.
template <class T, std::size_t Burst, std::size_t Bursts>
class burst_ring {
public:
    static constexpr std::size_t capacity = Burst * Bursts;

    static_assert(alignof(T) <= 64);

    explicit burst_ring(processors have = processors::own) noexcept : have_(have) {}
    burst_ring(const burst_ring&) = delete;
    burst_ring& operator=(const burst_ring&) = delete;

    /// The giving thread waits for room. It then calls `make()` for each element of a burst, and
    /// puts the results.
    template <class Make>
    void put(Make&& make) {
        end& mine = giving_;
        if (mine.position - mine.seen == Bursts) {
            // Acquire: the taking thread has left the elements' places before this thread reuses
            // them.
            spin_until(
                [&] {
                    mine.seen = taken_.load(std::memory_order_acquire);
                    return mine.position - mine.seen < Bursts;
                },
                have_);
        }
        T* const places = places_of(mine.position);
        for (std::size_t i = 0; i < Burst; ++i) std::construct_at(places + i, make());
        // Release: a thread that sees the position also sees the elements.
        put_.store(++mine.position, std::memory_order_release);
    }

    /// The taking thread waits for a burst. It then moves each element out and passes it to `use`.
    template <class Use>
    void take(Use&& use) {
        end& mine = taking_;
        if (mine.position == mine.seen) {
            // Acquire: this thread sees the elements of the bursts before the position.
            spin_until(
                [&] {
                    mine.seen = put_.load(std::memory_order_acquire);
                    return mine.position != mine.seen;
                },
                have_);
        }
        T* const places = places_of(mine.position);
        for (std::size_t i = 0; i < Burst; ++i) {
            T element(std::move(places[i]));
            std::destroy_at(places + i);
            use(element);
        }
        // Release: this thread no longer uses the places when the giving thread sees the position.
        taken_.store(++mine.position, std::memory_order_release);
    }

private:
    static constexpr std::size_t line = 64;

    struct alignas(line) end {
        std::size_t position = 0;
        std::size_t seen = 0;  // the other end's position at its last reading
    };

    T* places_of(std::size_t position) noexcept {
        return reinterpret_cast<T*>(storage_.data()) + position % Bursts * Burst;
    }

    const processors have_;
    end giving_;
    end taking_;
    alignas(line) std::atomic<std::size_t> put_{0};
    alignas(line) std::atomic<std::size_t> taken_{0};
    alignas(line) std::array<std::byte, sizeof(T) * capacity> storage_;
};

}  // namespace lab
