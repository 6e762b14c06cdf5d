// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache promises with every policy, of which each has a name and a way to make one.
#pragma once

#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/detail/sanitizers.hpp>

#include "contracts/marked_memory.hpp"
#include "contracts/observed_resource.hpp"
#include "contracts/random_size.hpp"
#include "skip.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

extern "C" int __asan_address_is_poisoned(const volatile void* address);

namespace freehold::contracts {

// A template, so that without the sanitizer there is no call of its function.
template <class Byte>
bool is_poisoned(const Byte* place) {
    if constexpr (detail::under_address_sanitizer) return __asan_address_is_poisoned(place) != 0;
    return false;
}

// Lets the tests be compiled once for all policies.
class any_buffer_cache {
public:
    virtual ~any_buffer_cache() = default;
    virtual buffer get(std::size_t size, std::size_t alignment) = 0;
    virtual void put(buffer&& from) = 0;
    virtual void* allocate(std::size_t size) = 0;
    virtual void deallocate(void* data) = 0;
    virtual void trim(std::size_t idle_bytes) = 0;
    virtual void trim_older_than(std::chrono::nanoseconds age) = 0;
    [[nodiscard]] virtual buffer_cache_statistics statistics() const = 0;
};

template <class Policy>
class buffer_cache_in_test final : public any_buffer_cache {
public:
    buffer_cache_in_test(const buffer_cache_options& options,
                         const typename Policy::options& of_policy)
        : cache_(options, of_policy) {}
    buffer get(std::size_t size, std::size_t alignment) override {
        return cache_.get(size, alignment);
    }
    void put(buffer&& from) override { cache_.put(std::move(from)); }
    void* allocate(std::size_t size) override { return cache_.allocate(size); }
    void deallocate(void* data) override { cache_.deallocate(data); }
    void trim(std::size_t idle_bytes) override { cache_.trim(idle_bytes); }
    void trim_older_than(std::chrono::nanoseconds age) override { cache_.trim_older_than(age); }
    [[nodiscard]] buffer_cache_statistics statistics() const override {
        return cache_.statistics();
    }

private:
    buffer_cache<Policy> cache_;
};

struct buffer_cache_subject {
    const char* name;
    std::unique_ptr<any_buffer_cache> (*make)(const buffer_cache_options&);

    friend std::ostream& operator<<(std::ostream& to, const buffer_cache_subject& subject) {
        return to << subject.name;
    }
};
// Of one that has `policy`, and `static policy::options options()`.
template <class Subject>
buffer_cache_subject buffer_cache_with(const char* name) {
    using in_test = buffer_cache_in_test<typename Subject::policy>;
    return {name, [](const buffer_cache_options& options) -> std::unique_ptr<any_buffer_cache> {
                return std::make_unique<in_test>(options, Subject::options());
            }};
}

// A cache over an upstream that is held to the letter, and what of it is in use.
class watched_cache {
public:
    explicit watched_cache(const buffer_cache_subject& subject, buffer_cache_options options = {})
        : max_idle_(options.max_idle) {
        options.upstream = &upstream_;
        cache_ = subject.make(options);
    }

    any_buffer_cache* operator->() { return cache_.get(); }
    observed_resource& upstream() { return upstream_; }

    buffer get_marked(std::mt19937& random, std::size_t largest) {
        const std::size_t size = random_size(random, largest);
        const std::size_t alignment = random() % 8 == 0 ? std::size_t{32} << random() % 4 : 16;
        buffer got = cache_->get(size, alignment);
        EXPECT_EQ(got.size(), size);
        EXPECT_GE(got.capacity(), size);
        EXPECT_TRUE(is_aligned(got.data(), alignment));
        mark(got.data(), got.capacity());
        return got;
    }
    void put_marked(buffer&& from) {
        EXPECT_TRUE(is_marked(from.data(), from.capacity()));
        cache_->put(std::move(from));
    }

    // While no thread is in the cache, and all buffers but these are with it.
    void expect_conserved(const std::vector<buffer>& in_use) {
        std::size_t asked = 0;
        std::size_t capacities = 0;
        for (const buffer& each : in_use) {
            asked += each.size();
            capacities += each.capacity();
        }
        const buffer_cache_statistics now = cache_->statistics();
        EXPECT_EQ(now.requests, now.hits + now.misses);
        EXPECT_EQ(now.requests - now.returns, in_use.size());
        EXPECT_EQ(now.in_use_asked, asked);
        EXPECT_EQ(now.in_use, capacities);
        EXPECT_LE(now.idle, max_idle_);
        // No header is larger than the largest alignment that is asked for.
        const std::size_t pieces = upstream_.pieces_lent();
        EXPECT_GE(upstream_.bytes_lent(), now.in_use + now.idle + 32 * pieces);
        EXPECT_LE(upstream_.bytes_lent(), now.in_use + now.idle + most_aligned * pieces);
        // Each came from the upstream, and is back there, idle or in use.
        EXPECT_EQ(now.misses - now.drops - now.evictions, pieces);
    }

    static constexpr std::size_t most_aligned = 256;

private:
    observed_resource upstream_;
    std::size_t max_idle_;
    std::unique_ptr<any_buffer_cache> cache_;
};

class buffer_caches : public testing::TestWithParam<buffer_cache_subject> {
protected:
    static buffer take_one(std::vector<buffer>& from, std::mt19937& random) {
        std::swap(from[random() % from.size()], from.back());
        buffer taken = std::move(from.back());
        from.pop_back();
        return taken;
    }
    static void hand_buffers_to_each_other(std::size_t shared_from);
};

TEST_P(buffer_caches, gives_bytes_that_are_nobody_else_s) {
    watched_cache cache(GetParam());
    std::mt19937 random(1);
    std::vector<buffer> in_use;
    for (int step = 0; step < 4000 && !HasFailure(); ++step) {
        if (in_use.empty() || random() % 41 < 20) {
            in_use.push_back(cache.get_marked(random, 20'000));
        } else {
            cache.put_marked(take_one(in_use, random));
        }
        if (random() % 500 == 0) cache->trim(random() % 20'000);
        if (step % 100 == 0) cache.expect_conserved(in_use);
    }
    EXPECT_GT(cache->statistics().hits, 0U);
    in_use.clear();
    cache.expect_conserved({});
    cache->trim(0);
    EXPECT_EQ(cache.upstream().pieces_lent(), 0U);
}

TEST_P(buffer_caches, never_keeps_more_than_it_may) {
    std::mt19937 random(2);
    for (const std::size_t most : {0, 1, 100, 1'000, 10'000, 100'000}) {
        for (const std::size_t most_of_a_thread : {most, most / 3, most * 2}) {
            buffer_cache_options options;
            options.max_idle = most;
            options.max_idle_per_thread = most_of_a_thread;
            options.cutoff = 5'000;
            watched_cache cache(GetParam(), options);
            std::vector<buffer> in_use;
            for (int step = 0; step < 300; ++step) {
                if (in_use.empty() || random() % 41 < 20) {
                    in_use.push_back(cache.get_marked(random, 10'000));
                } else {
                    cache.put_marked(take_one(in_use, random));
                }
                cache.expect_conserved(in_use);
            }
        }
    }
}

TEST_P(buffer_caches, survives_any_failure_of_the_upstream) {
    for (long failing = 1;; ++failing) {
        ASSERT_LT(failing, 1000);
        watched_cache cache(GetParam());
        std::mt19937 random(3);
        std::vector<buffer> in_use;
        cache.upstream().fail_from(failing);
        long refused = 0;
        for (int step = 0; step < 60; ++step) {
            try {
                if (in_use.empty() || random() % 41 < 25) {
                    in_use.push_back(cache.get_marked(random, 20'000));
                } else {
                    cache.put_marked(take_one(in_use, random));
                }
            } catch (const std::bad_alloc&) {
                ++refused;
            }
        }
        EXPECT_EQ(refused, cache.upstream().failures());
        cache.upstream().fail_from(0);
        cache.expect_conserved(in_use);
        in_use.push_back(cache.get_marked(random, 20'000));
        for (buffer& each : in_use) cache.put_marked(std::move(each));
        if (refused == 0) break;
    }
}

TEST_P(buffer_caches, refuses_what_nobody_has) {
    watched_cache cache(GetParam());
    EXPECT_THROW((void)cache->get(std::numeric_limits<std::size_t>::max(), 16), std::bad_alloc);
    EXPECT_THROW((void)cache->get(std::numeric_limits<std::size_t>::max() / 2 - 10, 16),
                 std::bad_alloc);
    cache.expect_conserved({});
}

TEST_P(buffer_caches, serves_threads_that_hand_buffers_to_each_other) {
    hand_buffers_to_each_other(1);
    hand_buffers_to_each_other(500);
    hand_buffers_to_each_other(3'001);
}

inline void buffer_caches::hand_buffers_to_each_other(std::size_t shared_from) {
    buffer_cache_options options;
    options.shared_from = shared_from;
    options.max_idle = 50'000;
    options.max_idle_per_thread = 20'000;
    watched_cache cache(GetParam(), options);
    std::mutex mutex;
    std::vector<buffer> handed_over;
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<buffer> mine;
        for (int step = 0; step < 1500; ++step) {
            if (mine.empty() || random() % 41 < 20) {
                mine.push_back(cache.get_marked(random, 3'000));
            } else if (random() % 2 == 0) {
                cache.put_marked(take_one(mine, random));
            } else {
                const std::lock_guard lock(mutex);
                handed_over.push_back(take_one(mine, random));
                std::swap(handed_over[random() % handed_over.size()], handed_over.back());
                cache.put_marked(std::move(handed_over.back()));
                handed_over.pop_back();
                if (!mine.empty()) handed_over.push_back(take_one(mine, random));
            }
            if (random() % 300 == 0) cache->trim(random() % 50'000);
            if (random() % 300 == 0) cache->trim_older_than(std::chrono::milliseconds(1));
            if (random() % 300 == 0) (void)cache->statistics();
        }
        for (buffer& each : mine) cache.put_marked(std::move(each));
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
    for (std::thread& each : threads) each.join();
    cache.expect_conserved(handed_over);
    for (buffer& each : handed_over) cache.put_marked(std::move(each));
    cache.expect_conserved({});
}

TEST_P(buffer_caches, outlives_its_threads_and_their_buffers) {
    watched_cache cache(GetParam());
    std::vector<buffer> left;
    for (int round = 0; round < 5; ++round) {
        std::thread([&] {
            std::mt19937 random(4);
            std::vector<buffer> mine;
            for (int i = 0; i < 20; ++i) mine.push_back(cache.get_marked(random, 2'000));
            for (int i = 0; i < 10; ++i) {
                cache.put_marked(take_one(mine, random));
            }
            for (buffer& each : mine) left.push_back(std::move(each));
        }).join();
        cache.expect_conserved(left);
        for (int i = 0; i < 5; ++i) {
            cache.put_marked(std::move(left.back()));
            left.pop_back();
        }
        cache.expect_conserved(left);
    }
    for (buffer& each : left) cache.put_marked(std::move(each));
}

TEST_P(buffer_caches, lets_the_address_sanitizer_find_uses_of_what_came_back) {
    if (!detail::under_address_sanitizer)
        return tests::does_not_apply("this build has no address sanitizer");
    watched_cache cache(GetParam());
    void* const data = cache->allocate(100);
    const auto* const bytes = static_cast<const std::byte*>(data);
    EXPECT_FALSE(is_poisoned(bytes));
    EXPECT_FALSE(is_poisoned(bytes + 99));
    cache->deallocate(data);
    EXPECT_TRUE(is_poisoned(bytes));
    EXPECT_TRUE(is_poisoned(bytes + 90));
    void* const again = cache->allocate(100);
    EXPECT_EQ(again, data);
    EXPECT_FALSE(is_poisoned(bytes));
    cache->deallocate(again);
}

}  // namespace freehold::contracts
