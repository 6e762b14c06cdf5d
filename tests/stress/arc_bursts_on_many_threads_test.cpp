// SPDX-License-Identifier: BSL-1.0
// Bursts of arcs that are shared, released and passed on by several threads: each object ends once,
// after all that its owners did to it; the thread sanitizer's preset checks the second half.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::arc_bursts_on_many_threads_test {
namespace {

constexpr std::size_t threads = 4;
constexpr std::size_t burst_length = 32;

// Each thread writes to its own slot, without atomics, while it has a handle.
struct plain_packet {
    plain_packet() noexcept = default;
    std::array<std::uint32_t, threads> visits_of{};
};

// Says that it has ended, and what was done to it.
struct telling_packet : plain_packet {
    ~telling_packet() {
        std::uint64_t sum = 0;
        for (const std::uint32_t each : visits_of) sum += each;
        visits.fetch_add(sum, std::memory_order_relaxed);
        ended.fetch_add(1, std::memory_order_relaxed);
    }
    static inline std::atomic<std::uint64_t> visits{0}, ended{0};
};

template <class Packet, class Count>
struct kind {
    using packet = Packet;
    using count = Count;
    using allocator = pool_allocator<Packet>;
    using handle = arc<Packet, Count, allocator>;
    using weak = weak_arc<Packet, Count, allocator>;
};

template <class Kind>
class arc_bursts_on_many_threads : public testing::Test {
protected:
    using packet = typename Kind::packet;
    using handle = typename Kind::handle;
    using burst_of_handles = std::array<handle, burst_length>;

    static pool_options options() {
        pool_options chosen;
        chosen.block_size = handle::block_size();
        chosen.alignment = handle::block_alignment();
        return chosen;
    }

    void make(burst_of_handles& into) {
        for (handle& each : into)
            each = allocate_arc<packet, typename Kind::count>(pool_allocator<packet>(blocks));
    }

    template <class Work>
    static void on_each_thread(Work work) {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(work, t);
        for (std::thread& each : workers) each.join();
    }

    static void visit(std::span<handle> handles, std::size_t self) {
        for (const handle& each : handles) {
            if (each != nullptr) ++each->visits_of[self];
        }
    }

    pool blocks{options()};
};

using kinds = testing::Types<kind<plain_packet, atomic_count>, kind<telling_packet, atomic_count>,
                             kind<plain_packet, biased_count>, kind<telling_packet, biased_count>>;
TYPED_TEST_SUITE(arc_bursts_on_many_threads, kinds);

// Threads exchange bursts through shelves; each shares what it takes, keeps a part, and releases
// the rest in one of the ways there are.
TYPED_TEST(arc_bursts_on_many_threads, end_each_object_once) {
    using burst = typename TestFixture::burst_of_handles;
    constexpr int rounds = 300;
    telling_packet::ended = 0;
    telling_packet::visits = 0;
    std::atomic<std::uint64_t> visited{0};
    std::mutex mutex;
    std::array<burst, 3> shelves;
    this->on_each_thread([&](std::size_t self) {
        std::minstd_rand random(static_cast<unsigned>(self));
        std::uint64_t visits = 0;
        for (int round = 0; round < rounds; ++round) {
            burst mine, copies;
            this->make(mine);
            this->visit(mine, self);
            visits += burst_length;
            share(std::span(mine), std::span(copies));
            {
                const std::lock_guard lock(mutex);
                std::swap(shelves[random() % shelves.size()], copies);
            }
            prefetch(std::span(copies));
            this->visit(copies, self);
            for (const auto& each : copies) visits += each != nullptr ? 1 : 0;
            burst more;
            share(std::span(copies).first(burst_length / 2), std::span(more));
            const typename TypeParam::weak observer(more[1]);
            switch (random() % 3) {
                case 0:
                    release(std::span(copies), std::span(more));
                    release(std::span(mine));
                    break;
                case 1:
                    release(std::span(more));
                    release(std::span(mine), std::span(copies));
                    break;
                default:
                    for (std::size_t i = 0; i < burst_length / 2; ++i)
                        std::swap(copies[2 * i + 1], more[i]);
                    release(std::span(copies));
                    more[3].reset();
                    release(std::span(more));
            }
            static_cast<void>(observer.lock());
        }
        visited.fetch_add(visits, std::memory_order_relaxed);
    });
    for (burst& each : shelves) release(std::span(each));
    constexpr std::uint64_t made = rounds * threads * burst_length;
    const pool_statistics after = this->blocks.statistics();
    EXPECT_EQ(after.allocations, made);
    EXPECT_EQ(after.in_use, 0U);
    if constexpr (std::is_same_v<typename TypeParam::packet, telling_packet>) {
        EXPECT_EQ(telling_packet::ended.load(), made);
        EXPECT_EQ(telling_packet::visits.load(), visited.load());
    }
}

// Two threads drop their halves of the same pairs at the same moment: either may be the last.
TYPED_TEST(arc_bursts_on_many_threads, race_to_be_the_last) {
    using burst = typename TestFixture::burst_of_handles;
    for (int round = 0; round < 200; ++round) {
        std::array<burst, threads> shares;
        this->make(shares[0]);
        for (std::size_t t = 1; t < threads; ++t) share(std::span(shares[0]), std::span(shares[t]));
        this->on_each_thread([&](std::size_t self) {
            this->visit(shares[self], self);
            release(std::span(shares[self]));
        });
        ASSERT_EQ(this->blocks.statistics().in_use, 0U);
    }
}

}  // namespace
}  // namespace freehold::arc_bursts_on_many_threads_test
