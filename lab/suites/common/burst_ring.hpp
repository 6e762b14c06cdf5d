// SPDX-License-Identifier: BSL-1.0
// A bounded queue from one thread to one other, in bursts: Lamport's ring, in which each end
// publishes its position once for each burst and asks for the other's only when what it last saw
// is used up (as in FastFlow and MCRingBuffer). That is as little as a hand-over can share, so
// that what is left is the cost of what is handed over.
#pragma once

#include "suites/common/spin_until.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace lab {

/// Positions count bursts and never turn back. The bursts from `taken` up to `put` hold elements,
/// `put - taken <= Bursts`; `put` is written by the giving thread alone, `taken` by the taking one.
/// Both must be equal again when the ring ends.
template <class T, std::size_t Burst, std::size_t Bursts>
class burst_ring {
public:
    static constexpr std::size_t capacity = Burst * Bursts;

    static_assert(alignof(T) <= 64);

    explicit burst_ring(processors have = processors::own) noexcept : have_(have) {}
    burst_ring(const burst_ring&) = delete;
    burst_ring& operator=(const burst_ring&) = delete;

    /// The giving thread: waits for room, then puts what `make()` returns, for each of a burst.
    template <class Make>
    void put(Make&& make) {
        end& mine = giving_;
        if (mine.position - mine.seen == Bursts) {
            // Acquire: the elements' places have been given up before they are used again.
            spin_until(
                [&] {
                    mine.seen = taken_.load(std::memory_order_acquire);
                    return mine.position - mine.seen < Bursts;
                },
                have_);
        }
        T* const places = places_of(mine.position);
        for (std::size_t i = 0; i < Burst; ++i) std::construct_at(places + i, make());
        // Release: whoever sees the position sees the elements.
        put_.store(++mine.position, std::memory_order_release);
    }

    /// The taking thread: waits for a burst, then moves each element out and hands it to `use`.
    template <class Use>
    void take(Use&& use) {
        end& mine = taking_;
        if (mine.position == mine.seen) {
            // Acquire: the elements are there.
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
        // Release: the places are no longer used when they are given back.
        taken_.store(++mine.position, std::memory_order_release);
    }

private:
    static constexpr std::size_t line = 64;

    struct alignas(line) end {
        std::size_t position = 0;
        std::size_t seen = 0;  // the other end's position, as last asked for
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
