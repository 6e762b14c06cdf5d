// SPDX-License-Identifier: BSL-1.0
// Objects that are shared out and gathered while threads copy, release and lock them. Whatever the
// moment, no change of a count may be lost, and the object dies when its last owner goes.
#include <freehold/count/sharded_count.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "skip.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::sharded_counts_on_many_threads_test {
namespace {

constexpr std::size_t threads = 4;

template <class Work>
void on_threads(std::size_t many, Work work) {
    std::vector<std::thread> all;
    for (std::size_t i = 0; i != many; ++i) all.emplace_back([&work, i] { work(i); });
    for (std::thread& each : all) each.join();
}

// Each thread writes to its own field without atomics; the destructor reads them all.
struct visited {
    static inline std::atomic<long> alive{0}, visits{0};
    visited() { alive.fetch_add(1); }
    visited(const visited&) = delete;
    visited& operator=(const visited&) = delete;
    ~visited() {
        for (const long count : visits_of) visits.fetch_add(count);
        visits_of.fill(-1);
        alive.fetch_sub(1);
    }
    void visit(std::size_t by) {
        EXPECT_GE(visits_of[by], 0) << "used after its destruction";
        ++visits_of[by];
    }
    std::array<long, threads> visits_of{};
};
using owner = shared_ptr<visited, sharded_count>;
using weak_owner = weak_ptr<visited, sharded_count>;

TEST(sharded_counts_on_many_threads, lose_no_change_while_some_share_out_and_gather) {
    for (int round = 0; round != 50; ++round) {
        sharded_count_with_weak count(std::in_place_type<int>);
        std::atomic<bool> stop{false};
        on_threads(threads, [&](std::size_t self) {
            if (self < 2) {
                for (int i = 0; i != 200; ++i) {
                    count.share_out();
                    count.increment();
                    if (i % 3 == 0) std::this_thread::yield();
                    EXPECT_EQ(count.decrement(), remaining::owners);
                    count.gather();
                }
                stop.store(true);
                return;
            }
            std::minstd_rand random(static_cast<unsigned>(threads * round + self));
            int owners = 0;
            count.increment_weak();
            do {
                for (int i = 0; i != 100; ++i) {
                    if (random() % 2 == 0 || owners == 0) {
                        if (i % 5 == 0) {
                            EXPECT_TRUE(count.try_increment());
                        } else {
                            count.increment();
                        }
                        ++owners;
                    } else {
                        EXPECT_EQ(count.decrement(), remaining::owners);
                        --owners;
                    }
                }
            } while (!stop.load());
            EXPECT_FALSE(count.decrement_weak());
            for (; owners != 0; --owners) ASSERT_EQ(count.decrement(), remaining::owners);
        });
        ASSERT_EQ(count.value(), 1);
        ASSERT_EQ(count.decrement(), remaining::nothing) << "a weak reference was lost";
    }
}

// Threads that end are replaced by others: each has only copied, or only released.
TEST(sharded_counts_on_many_threads, outlive_threads_that_copied_or_released) {
    for (int round = 0; round != 30; ++round) {
        std::vector<owner> copies(1000);
        {
            std::optional<anchor<owner>> kept;
            kept.emplace(owner(new visited));
            on_threads(threads, [&](std::size_t self) {
                for (std::size_t i = self; i < copies.size(); i += threads) copies[i] = kept->get();
            });
            on_threads(threads, [&](std::size_t self) {
                for (std::size_t i = threads - 1 - self; i < copies.size() - 4; i += threads) {
                    copies[i]->visit(self);
                    copies[i].reset();
                    if (i == 500) kept.reset();
                }
            });
        }
        ASSERT_EQ(visited::alive.load(), 1);
        ASSERT_EQ(copies.back().use_count(), 4);
        copies.clear();
        ASSERT_EQ(visited::alive.load(), 0);
        ASSERT_EQ(visited::visits.exchange(0), 996);
    }
}

// The last owners let go at the time of the gathering: one of them destroys the object.
TEST(sharded_counts_on_many_threads, die_with_the_last_owner_beside_a_gathering) {
    for (int round = 0; round != 2000; ++round) {
        owner first(new visited);
        std::array<owner, threads> owners;
        for (owner& each : owners) each = first;
        on_threads(threads, [&, round](std::size_t self) {
            owner& mine = owners[self];
            if (self == 0) {
                const anchor kept(std::move(mine));
                const owner copy = kept.get();
                if (round % 2 == 0) std::this_thread::yield();
                copy->visit(self);
                return;
            }
            for (int i = 0; i != 20; ++i) const owner copy = mine;
            mine->visit(self);
            if (self == 1) first.reset();
            mine.reset();
        });
        ASSERT_EQ(visited::alive.load(), 0);
        ASSERT_EQ(visited::visits.exchange(0), static_cast<long>(threads));
    }
}

TEST(sharded_counts_on_many_threads, lock_in_time_or_not_at_all) {
    for (int round = 0; round != 2000; ++round) {
        std::optional<anchor<owner>> kept;
        kept.emplace(owner(new visited));
        const weak_owner weak = kept->get();
        std::atomic<long> locked{0};
        on_threads(3, [&](std::size_t self) {
            if (self == 0) {
                std::this_thread::yield();
                kept.reset();
                return;
            }
            for (int i = 0; i != 100; ++i) {
                const owner mine = weak.lock();
                if (mine == nullptr) break;
                mine->visit(self);
                locked.fetch_add(1);
            }
        });
        ASSERT_EQ(visited::alive.load(), 0);
        ASSERT_TRUE(weak.expired());
        ASSERT_EQ(visited::visits.exchange(0), locked.load());
    }
}

// Signals interrupt sequences, and their handler counts in the same shard. A handler may not
// gather.
const owner* owner_in_handler = nullptr;
std::atomic<int> handled{0};

TEST(sharded_counts_on_many_threads, are_exact_if_signals_and_moves_interrupt_copies) {
    constexpr int signals = 10'000;
    constexpr int copies_in_handler = 100;
    struct sigaction wanted = {}, before = {};
    wanted.sa_handler = [](int) {
        for (int i = 0; i != copies_in_handler; ++i) const owner copy = *owner_in_handler;
        handled.fetch_add(1);
    };
    ASSERT_EQ(::sigaction(SIGUSR1, &wanted, &before), 0);
    handled.store(0);
    cpu_set_t usable;
    CPU_ZERO(&usable);
    ASSERT_EQ(::sched_getaffinity(0, sizeof usable, &usable), 0);
    std::vector<std::size_t> processors;
    for (std::size_t i = 0; i != CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &usable)) processors.push_back(i);
    owner mine(new visited);
    owner_in_handler = &mine;
    {
        const anchor kept(mine);
        std::atomic<bool> stop{false};
        std::vector<std::thread> interrupted;
        for (int i = 0; i != 2; ++i)
            interrupted.emplace_back([&] {
                while (!stop.load(std::memory_order_relaxed)) const owner copy = mine;
            });
        // A signal that is pending swallows the next one.
        for (std::size_t i = 0; handled.load() < signals; ++i) {
            const pthread_t thread = interrupted[i % 2].native_handle();
            // A move takes a thousand times as long as a signal.
            if (i % 64 < 2) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(processors[(i / 2 + i) % processors.size()], &one);
                EXPECT_EQ(::pthread_setaffinity_np(thread, sizeof one, &one), 0);
            }
            EXPECT_EQ(::pthread_kill(thread, SIGUSR1), 0);
        }
        stop.store(true);
        for (std::thread& each : interrupted) each.join();
    }
    ::sigaction(SIGUSR1, &before, nullptr);
    EXPECT_EQ(mine.use_count(), 1);
    mine.reset();
    EXPECT_EQ(visited::alive.load(), 0);
}

// A child has the shards as they were at one moment, and gathers what its thread can reach.
TEST(sharded_counts_on_many_threads, are_forked_while_others_share_out_and_gather) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers do not support a child of several threads");
    owner mine(new visited);
    std::optional<anchor<owner>> kept;
    kept.emplace(mine);
    std::atomic<bool> stop{false};
    std::thread other([&] {
        const owner theirs(new visited);
        while (!stop.load()) {
            const anchor another(theirs);
            const owner copy = another.get();
        }
    });
    for (int i = 0; i != 100; ++i) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(60);
            for (int j = 0; j != 10; ++j) const owner copy = mine;
            kept.reset();
            const bool is_exact = mine.use_count() == 1;
            const anchor again(std::move(mine));
            _exit(is_exact ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    }
    stop.store(true);
    other.join();
    kept.reset();
    EXPECT_EQ(mine.use_count(), 1);
}

}  // namespace
}  // namespace freehold::sharded_counts_on_many_threads_test
