// SPDX-License-Identifier: BSL-1.0
// A process of several threads that forks again and again, whatever its threads are doing. Each
// child uses what its parent has, on threads of its own too, and destroys it.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/freehold.hpp>

#include "contracts/use_pool.hpp"
#include "skip.hpp"
#include "stress/all_together.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::forks_on_many_threads_test {
namespace {

using stress::things;
using stress::worker;

// In a child. Returns its exit status.
int use_as_child(things& all, worker& inherited, std::uint64_t seed) {
    ::alarm(60);  // for a child that waits for a thread that it does not have
    inherited.keep_to_itself();
    for (int i = 0; i < 300; ++i) inherited.step();
    std::array<std::thread, 2> threads;
    std::atomic<bool> sound = true;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread([&, i] {
            worker mine(all, seed + i, false);
            for (int step = 0; step < 300; ++step) mine.step();
            if (!mine.is_sound()) sound = false;
        });
    }
    // A child forks too, while its own threads run.
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
        ::alarm(30);
        for (int i = 0; i < 100; ++i) inherited.step();
        ::_exit(inherited.is_sound() ? 0 : 1);
    }
    for (std::thread& each : threads) each.join();
    int status = 0;
    ::waitpid(grandchild, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 2;
    // What it destroys has blocks that only its parent knows.
    ::close(STDERR_FILENO);
    all.buffers.reset();
    std::destroy_at(&all.waiting);
    return sound && inherited.is_sound() ? 0 : 1;
}

TEST(children_of_many_threads, use_and_destroy_what_their_parent_has) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers do not keep their own locks across a fork");
    things& all = *std::make_unique<things>().release();  // children end without its destructor
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        threads.emplace_back([&, seed] {
            std::mt19937_64 random(seed);
            while (!stop) {
                // A thread that exits in the middle, with all that its caches hold.
                std::thread brief([&] {
                    worker mine(all, random(), true);
                    for (int i = 0; i < 200 && !stop; ++i) mine.step();
                    EXPECT_TRUE(mine.is_sound());
                });
                worker mine(all, random(), true);
                for (int i = 0; i < 100 && !stop; ++i) mine.step();
                EXPECT_TRUE(mine.is_sound());
                brief.join();
            }
        });
    }
    std::mt19937_64 random(11);
    {
        worker mine(all, 7, true);
        for (int round = 0; round < 150; ++round) {
            for (std::size_t i = random() % 60; i > 0; --i) mine.step();
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
            const pid_t child = ::fork();
            ASSERT_GE(child, 0);
            if (child == 0) ::_exit(use_as_child(all, mine, random()));
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            ASSERT_TRUE(WIFEXITED(status)) << "in round " << round << " by " << WTERMSIG(status);
            ASSERT_EQ(WEXITSTATUS(status), 0) << "in round " << round;
        }
        EXPECT_TRUE(mine.is_sound());
    }
    stop = true;
    for (std::thread& each : threads) each.join();
    for (void* const block : all.passed) all.blocks.deallocate(block);
    all.passed_buffers.clear();
    all.passed_nodes.clear();
    contracts::expect_conserved(all.blocks, 0);
    contracts::expect_conserved(all.checked, 0);
    contracts::expect_conserved(all.waiting, 0);
    EXPECT_EQ(all.buffers->statistics().in_use, 0U);
    delete &all;
}

}  // namespace
}  // namespace freehold::forks_on_many_threads_test
