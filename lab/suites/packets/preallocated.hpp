// SPDX-License-Identifier: BSL-1.0
// The lower bound across threads: nothing is allocated or freed. The elements are made beforehand
// and circulate. The consumer sends them back through a ring like the one through which it received
// them.
#pragma once

#include "suites/common/barrier.hpp"
#include "suites/common/burst_ring.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/shared_across.hpp"
#include "suites/packets/source.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lab::packets {

/// Rings of elements that the producers may use next, one ring for each pair. A thread gives
/// elements back to the ring of its pair, whichever producer they came from. At each step every
/// consumer takes one burst and every producer puts one, so all rings fill and empty at the same
/// rate. `make()` makes an element.
template <class T>
class rings_back {
public:
    template <class Make>
    rings_back(std::size_t pairs, Make&& make) {
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            rings_.push_back(std::make_unique<ring>(processors_of(2 * pairs)));
            for (std::size_t i = 0; i < bursts_of_a_pair; ++i) rings_.back()->put(make);
        }
    }
    ~rings_back() {
        for (auto& each : rings_) {
            for (std::size_t i = 0; i < bursts_of_a_pair; ++i) each->take([](T&) {});
        }
    }
    rings_back(const rings_back&) = delete;
    rings_back& operator=(const rings_back&) = delete;

    void thread_starts(std::size_t pair) noexcept { mine_ = rings_[pair].get(); }

    void take(std::span<T> to) {
        for (auto next = to.begin(); next != to.end();) {
            mine_->take([&](T& element) { *next++ = std::move(element); });
        }
    }

    /// Gives back a whole number of bursts.
    template <class From, std::size_t Size>
    void give(std::span<From, Size> from) {
        for (auto next = from.begin(); next != from.end();) {
            mine_->put([&] { return T(std::move(*next++)); });
        }
    }

private:
    /// The bursts that fill a ring between the threads, and those that the threads have in hand.
    static constexpr std::size_t bursts_of_a_pair = places_of_a_ring / burst + 8;
    using ring = burst_ring<T, burst, bursts_of_a_pair>;

    std::vector<std::unique_ptr<ring>> rings_;
    inline static thread_local ring* mine_ = nullptr;
};

/// A source of blocks. They are an odd number of cache lines apart, so that they spread over a
/// cache's sets.
class preallocated {
public:
    explicit preallocated(std::size_t capacity)
        : blocks_(std::make_unique_for_overwrite<place[]>(capacity)),
          free_(capacity / capacity_of(1),
                [this] { return static_cast<void*>(&blocks_[made_++].first); }) {}

    void thread_starts(std::size_t pair) noexcept { free_.thread_starts(pair); }

    void allocate_bulk(std::span<void*> to) { free_.take(to); }
    void deallocate_bulk(std::span<void* const> from) noexcept { free_.give(from); }

private:
    struct alignas(64) place {
        packet first;
        std::byte gap[64];
    };
    static_assert(sizeof(place) / 64 % 2 == 1);

    const std::unique_ptr<place[]> blocks_;
    std::size_t made_ = 0;
    rings_back<void*> free_;
};

/// Handles to packets, which `make()` makes. The consumer copies and drops them one by one.
template <class Handle, Handle (*Make)()>
class preallocated_handles {
public:
    using handle = Handle;

    explicit preallocated_handles(std::size_t capacity)
        : free_(capacity / capacity_of(1), Make), stocks_(capacity / capacity_of(1)) {}

    void thread_starts(std::size_t pair) noexcept {
        free_.thread_starts(pair);
        mine_ = &stocks_[pair];
    }

    [[gnu::always_inline]] handle make() {
        stock& mine = *mine_;
        if (mine.next == mine.handles.size()) {
            free_.take(mine.handles);
            mine.next = 0;
        }
        return std::move(mine.handles[mine.next++]);
    }

    template <class Read>
    void use(burst_of<handle> received, Read&& read) {
        for (const handle& each : received) {
            const handle copy = each;
            barrier();
            read(*copy);
        }
        free_.give(received);
    }

private:
    /// The handles that a pair's producer has in hand.
    struct alignas(64) stock {
        std::array<handle, burst> handles;
        std::size_t next = burst;
    };

    rings_back<handle> free_;
    std::vector<stock> stocks_;
    inline static thread_local stock* mine_ = nullptr;
};

}  // namespace lab::packets
