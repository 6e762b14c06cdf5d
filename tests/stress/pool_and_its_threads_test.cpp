// SPDX-License-Identifier: BSL-1.0
// Pools and threads that come to their ends in any order.
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_and_its_threads_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

pool_options short_lived() {
    pool_options asked;
    asked.block_size = 80;
    asked.magazine_size = 8;
    asked.growth = 64;
    asked.name = "short-lived";
    return asked;
}

// A thread that does what it is told, one thing at a time.
class helper {
public:
    helper() : thread_([this] { run(); }) {}
    helper(const helper&) = delete;
    helper& operator=(const helper&) = delete;
    ~helper() {
        tell(nullptr);
        thread_.join();
    }
    // Returns when it is done.
    template <class Work>
    void have(Work work) {
        tell([&work] { work(); });
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !told_; });
    }

private:
    void tell(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
        told_ = true;
        changed_.notify_all();
    }
    void run() {
        for (std::unique_lock lock(mutex_);;) {
            changed_.wait(lock, [this] { return told_; });
            if (work_ == nullptr) return;
            work_();
            told_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> work_;
    bool told_ = false;
    std::thread thread_;
};

TEST(a_pool_and_its_threads, have_what_a_thread_had_cached_when_it_ends) {
    pool tested(short_lived());
    for (int round = 0; round < 20; ++round) {
        std::thread([&] { give_back(tested, take(tested, 60)); }).join();
        EXPECT_EQ(tested.statistics().cached, 0U);
        EXPECT_EQ(tested.statistics().capacity, 64U);
    }
    expect_conserved(tested, 0);
}

TEST(a_pool_and_its_threads, have_what_a_thread_releases) {
    pool tested(short_lived());
    helper thread;
    thread.have([&] { give_back(tested, take(tested, 64)); });
    EXPECT_GT(tested.statistics().cached, 0U);
    thread.have([&] { tested.release_thread_cache(); });
    EXPECT_EQ(tested.statistics().cached, 0U);
    give_back(tested, take(tested, 64));
    EXPECT_EQ(tested.statistics().capacity, 64U);
    thread.have([&] { give_back(tested, take(tested, 64 + 1)); });
    expect_conserved(tested, 0);
}

// Each new pool may have what the last one had: a number, an address, memory. The threads' caches
// must not take one for the other.
TEST(a_pool_and_its_threads, part_when_the_pool_is_destroyed_first) {
    helper first, second;
    for (int round = 0; round < 50; ++round) {
        pool_options asked = short_lived();
        asked.block_size = 16 + 8 * static_cast<std::size_t>(round % 20);
        auto tested = std::make_unique<pool>(asked);
        const auto use = [&] {
            const std::vector<void*> blocks = take(*tested, 100);
            for (void* block : blocks) {
                ASSERT_TRUE(tested->owns(block));
                contracts::mark(block, asked.block_size);
            }
            give_back(*tested, blocks);
        };
        use();
        first.have(use);
        if (round % 2 == 0) second.have(use);
        expect_conserved(*tested, 0);
        if (round % 3 == 0) {
            second.have([&] { tested.reset(); });
        } else {
            tested.reset();
        }
    }
}

TEST(a_pool_and_its_threads, part_when_both_end_at_once) {
    for (int round = 0; round < 50; ++round) {
        auto tested = std::make_unique<pool>(short_lived());
        std::mutex mutex;
        std::condition_variable changed;
        int done = 0;
        std::vector<std::thread> workers;
        for (int t = 0; t < 3; ++t) {
            workers.emplace_back([&] {
                give_back(*tested, take(*tested, 30));
                const std::lock_guard lock(mutex);
                ++done;
                changed.notify_all();
                // And ends, while the pool is destroyed.
            });
        }
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return done == 3; });
        }
        testing::internal::CaptureStderr();
        tested.reset();
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "no block is in use";
        for (std::thread& thread : workers) thread.join();
    }
}

// An upstream that asks a pool what it has whenever something comes back.
class curious_resource : public std::pmr::memory_resource {
public:
    explicit curious_resource(const pool& asked) : asked_(asked) {}
    std::atomic<int> answers{0};

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        return ::operator new(bytes, std::align_val_t(alignment));
    }
    void do_deallocate(void* memory, std::size_t, std::size_t alignment) override {
        if (asked_.statistics().capacity > 0) ++answers;
        ::operator delete(memory, std::align_val_t(alignment));
    }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    const pool& asked_;
};

TEST(a_pool_and_its_threads, call_an_upstream_that_uses_pools_when_a_thread_ends) {
    pool another(short_lived());
    give_back(another, take(another, 1));
    curious_resource upstream(another);
    pool_options asked = short_lived();
    asked.maximum_capacity = 64;
    asked.on_exhaustion = exhaustion::use_upstream;
    asked.upstream = &upstream;
    pool tested(asked);
    std::thread([&] { give_back(tested, take(tested, 70)); }).join();
    EXPECT_GT(upstream.answers, 0);
    EXPECT_EQ(tested.statistics().upstream_blocks, 0U);
    expect_conserved(tested, 0);
}

TEST(a_pool_and_its_threads, may_use_it_while_others_end) {
    pool tested(short_lived());
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < 3; ++t) {
        workers.emplace_back([&, t] {
            for (unsigned i = 0; i < 30; ++i) {
                std::thread([&] {
                    give_back(tested, contracts::use_at_random(tested, 100 * t + i, 50, 40));
                }).join();
            }
        });
    }
    for (int i = 0; i < 300; ++i) {
        give_back(tested, take(tested, 20));
        EXPECT_LE(tested.statistics().in_use, tested.statistics().capacity);
    }
    for (std::thread& thread : workers) thread.join();
    expect_conserved(tested, 0);
}

// Lives in a thread's own storage, and uses the pool when that is taken down.
struct late_user {
    ~late_user() {
        if (pool_used == nullptr) return;
        pool_used->deallocate(kept);
        give_back(*pool_used, take(*pool_used, 3));
        give_back(*pool_used, take(*pool_used, 50));
        std::vector<void*> bulk(20);
        pool_used->allocate_bulk(bulk);
        pool_used->deallocate_bulk(bulk);
        pool_used->release_thread_cache();
    }
    pool* pool_used = nullptr;
    void* kept = nullptr;
};

TEST(a_pool_and_its_threads, serve_thread_local_destructors_that_run_after_the_cache_is_gone) {
    pool tested(short_lived());
    for (int round = 0; round < 20; ++round) {
        std::thread([&] {
            // Made before the thread's caches are, so destroyed after them.
            static thread_local late_user user;
            user.kept = nullptr;
            user.kept = tested.allocate();
            user.pool_used = &tested;
        }).join();
        expect_conserved(tested, 0);
        EXPECT_EQ(tested.statistics().cached, 0U);
        EXPECT_EQ(tested.statistics().capacity, 64U);
    }
}

// Destructors of statics run after the main thread's caches are gone. Failures there are told by
// the exit status.
struct last_user {
    explicit last_user(pool& used) : tested(used), kept(used.allocate()) {}
    ~last_user() {
        tested.deallocate(tested.allocate());
        tested.deallocate(kept);
        const std::vector<void*> more = take(tested, 100);
        for (void* block : more) contracts::mark(block, 80);
        for (void* block : more) {
            if (!contracts::is_marked(block, 80)) std::_Exit(1);
        }
        give_back(tested, more);
        const pool_statistics last = tested.statistics();
        if (last.in_use != 0 || last.cached != 0 || last.in_depot != last.capacity) std::_Exit(1);
    }
    last_user(const last_user&) = delete;
    last_user& operator=(const last_user&) = delete;
    pool& tested;
    void* kept;
};

TEST(a_pool_and_its_threads, serve_destructors_of_statics) {
    static pool tested(short_lived());
    static const last_user user(tested);
    give_back(tested, take(tested, 20));
    expect_conserved(tested, 1);
}

TEST(a_pool_and_its_threads, serve_destructors_of_statics_from_a_pool_that_is_never_destroyed) {
    static pool& tested = *new pool(short_lived());
    static const last_user user(tested);
    expect_conserved(tested, 1);
}

}  // namespace
}  // namespace freehold::pool_and_its_threads_test
