// SPDX-License-Identifier: BSL-1.0
// Counts that several threads change at once. For biased ones, the maker counts in a loop while
// others come to revoke its bias: whatever the moment, no change may be lost.
#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/detail/sanitizers.hpp>

#include "count/bias_in_tests.hpp"
#include "count/shards_in_tests.hpp"
#include "skip.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::tests::counts_on_many_threads_test {
namespace {

// A type for each index, since a thread's bias for a type is revoked but once.
template <std::size_t Index>
struct kind {};
constexpr std::size_t kinds = 64;

template <class Count>
using maker = Count (*)();

template <class Count, std::size_t... Indices>
constexpr std::array<maker<Count>, sizeof...(Indices)> makers_of(std::index_sequence<Indices...>) {
    return {+[] { return Count(std::in_place_type<kind<Indices>>); }...};
}
template <class Count>
constexpr auto makers = makers_of<Count>(std::make_index_sequence<kinds>());

template <class Count>
class counts_on_many_threads : public testing::Test {};

using counts = testing::Types<atomic_count::with_weak, biased_count::with_weak,
                              sharded_count::with_weak, tests::gathered_at_once_with_weak>;
TYPED_TEST_SUITE(counts_on_many_threads, counts);

// Every way of making a handle and letting it go, at random; leaves the count as it was.
template <class Count>
void work_on(Count& count, unsigned seed, int steps) {
    std::minstd_rand random(seed);
    int owners = 0, weak = 0;
    for (int i = 0; i < steps; ++i) {
        switch (random() % 6) {
            case 0:
                count.increment();
                ++owners;
                break;
            case 1:
                // Only who holds a weak reference may ask.
                if (weak != 0 && count.try_increment()) ++owners;
                break;
            case 2:
                count.increment_weak();
                ++weak;
                break;
            case 3:
                if (weak == 0) break;
                ASSERT_FALSE(count.decrement_weak());
                --weak;
                break;
            default:
                if (owners == 0) break;
                ASSERT_EQ(count.decrement(), remaining::owners);
                --owners;
        }
    }
    for (; owners > 0; --owners) ASSERT_EQ(count.decrement(), remaining::owners);
    for (; weak > 0; --weak) ASSERT_FALSE(count.decrement_weak());
}

void wait_about(std::size_t round) {
    // A fence for the compiler, so that it keeps the loop.
    for (std::size_t i = round * 97 % 4000; i != 0; --i)
        std::atomic_signal_fence(std::memory_order_seq_cst);
}

TYPED_TEST(counts_on_many_threads, lose_no_change) {
    for (std::size_t round = 0; round < 8 * kinds; ++round) {
        elsewhere([&] {
            TypeParam count = makers<TypeParam>[round % kinds]();
            std::atomic<bool> stop{false};
            std::array<std::thread, 2> others;
            for (std::size_t i = 0; i < others.size(); ++i) {
                others[i] = std::thread([&count, &stop, round, i] {
                    wait_about(round + i);
                    work_on(count, static_cast<unsigned>(2 * round + i), 500);
                    stop.store(true);
                });
            }
            unsigned seed = static_cast<unsigned>(round);
            do {
                work_on(count, ++seed, 2000);
            } while (!stop.load());
            for (std::thread& other : others) other.join();
            EXPECT_EQ(count.value(), 1);
            EXPECT_EQ(count.decrement(), remaining::nothing) << "a weak reference was lost";
        });
    }
}

// Three threads hold a handle each and let go at the same time: one of them is the last, and sees
// what the others wrote.
TYPED_TEST(counts_on_many_threads, name_one_thread_the_last) {
    for (std::size_t round = 0; round < 8 * kinds; ++round) {
        elsewhere([&] {
            TypeParam count = makers<TypeParam>[round % kinds]();
            std::array<int, 3> written{};
            std::atomic<int> last{0}, sum{0};
            const auto let_go = [&](std::size_t self) {
                wait_about(round + 31 * self);
                written[self] = 1;
                if (count.decrement() == remaining::owners) return;
                last.fetch_add(1);
                sum.store(written[0] + written[1] + written[2]);
            };
            count.increment();
            count.increment();
            std::thread first([&] { let_go(1); }), second([&] { let_go(2); });
            let_go(0);
            first.join();
            second.join();
            ASSERT_EQ(last.load(), 1);
            ASSERT_EQ(sum.load(), 3);
        });
    }
}

// The maker ends while others still count; the next maker may have its address.
TYPED_TEST(counts_on_many_threads, outlive_their_makers) {
    for (std::size_t round = 0; round < 2 * kinds; ++round) {
        alignas(TypeParam) std::array<std::byte, sizeof(TypeParam)> place;
        TypeParam* count = nullptr;
        std::atomic<TypeParam*> published{nullptr};
        std::thread other([&] {
            TypeParam* seen = nullptr;
            while ((seen = published.load()) == nullptr) std::this_thread::yield();
            work_on(*seen, static_cast<unsigned>(round), 500);
        });
        elsewhere([&] {
            count = ::new (place.data()) TypeParam(makers<TypeParam>[round % kinds]());
            published.store(count);
            work_on(*count, static_cast<unsigned>(round + 1), 300);
        });
        elsewhere([&] { work_on(*count, static_cast<unsigned>(round + 2), 300); });
        other.join();
        EXPECT_EQ(count->decrement(), remaining::nothing);
    }
}

// An owner lets go for the last time while others try to lock: they get it in time or not at all.
TYPED_TEST(counts_on_many_threads, lock_in_time_or_not_at_all) {
    for (std::size_t round = 0; round < 8 * kinds; ++round) {
        elsewhere([&] {
            TypeParam count = makers<TypeParam>[round % kinds]();
            std::atomic<int> destroyed{0}, freed{0};
            const auto let_go = [&] {
                const remaining left = count.decrement();
                if (left == remaining::owners) return;
                if (left != remaining::memory) destroyed.fetch_add(1);
                if (left == remaining::weak_references && !count.decrement_weak()) return;
                freed.fetch_add(1);
            };
            count.increment_weak();
            std::thread other([&] {
                wait_about(round);
                if (count.try_increment()) {
                    EXPECT_EQ(destroyed.load(), 0);
                    let_go();
                }
                if (count.decrement_weak()) freed.fetch_add(1);
            });
            wait_about(round * 7);
            let_go();
            other.join();
            ASSERT_EQ(destroyed.load(), 1);
            ASSERT_EQ(freed.load(), 1);
        });
    }
}

// The same moment again and again: the maker is in the middle of counting when another thread
// revokes its bias, and counts too. Records are made by hand, because a thread has one for a type.
// A machine with better things to do may take milliseconds for a meeting of two threads: hence the
// limit of time.
TEST(biased_counts, lose_no_change_at_the_moment_of_revocation) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return does_not_apply("sanitizers see no restartable sequences");
    if (!there_is_bias()) return skip_without("rseq", "this system has no restartable sequences");
    using record = detail::basic_bias_record<detail::restartable_platform>;
    using count = detail::basic_biased_count_with_weak<detail::restartable_platform>;
    constexpr int most_rounds = 3'000;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    struct meeting {
        explicit meeting(detail::biased_type& type)
            : bias(detail::restartable_platform::this_thread(), type),
              owners(reinterpret_cast<std::uintptr_t>(&bias)) {}
        record bias;
        count owners;
        std::atomic<bool> over{false};
    };
    std::atomic<meeting*> met{nullptr};
    std::atomic<bool> finished{false};
    std::thread other([&] {
        for (std::size_t round = 0; !finished.load(); ++round) {
            meeting* const now = met.exchange(nullptr);
            if (now == nullptr) {
                std::this_thread::yield();
                continue;
            }
            wait_about(round % 41);
            for (int i = 0; i < 4; ++i) now->owners.increment();
            now->over.store(true);
        }
    });
    detail::biased_type type;
    int rounds = 0, lost = 0;
    for (; rounds < most_rounds && std::chrono::steady_clock::now() < end; ++rounds) {
        meeting now(type);
        met.store(&now);
        while (!now.over.load(std::memory_order_relaxed)) {
            for (int i = 0; i < 20; ++i) now.owners.increment();
            for (int i = 0; i < 20; ++i) static_cast<void>(now.owners.decrement());
        }
        if (now.owners.value() != 5) ++lost;
    }
    finished.store(true);
    other.join();
    EXPECT_EQ(lost, 0) << "counts are wrong after so many of " << rounds << " revocations";
    EXPECT_EQ(type.revocations, rounds);
}

}  // namespace
}  // namespace freehold::tests::counts_on_many_threads_test
