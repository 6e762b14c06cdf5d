// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache promises with every policy. A subject has `policy`, and
// `static policy::options options()`.
#pragma once

#include <freehold/cache/buffer_cache.hpp>
#include <freehold/memory/sanitizers.hpp>

#include "contracts/marked_memory.hpp"
#include "contracts/observed_resource.hpp"
#include "contracts/random_size.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

extern "C" int __asan_address_is_poisoned(const volatile void* address);

namespace freehold::contracts {

// A cache over an upstream that is held to the letter, and what of it is in use.
template <class Subject>
class watched_cache {
public:
    using cache_type = buffer_cache<typename Subject::policy>;

    explicit watched_cache(buffer_cache_options options = {}) {
        options.upstream = &upstream_;
        cache_ = std::make_unique<cache_type>(std::move(options), Subject::options());
    }

    cache_type& operator*() { return *cache_; }
    cache_type* operator->() { return cache_.get(); }
    observed_resource& upstream() { return upstream_; }

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
        EXPECT_LE(now.idle, cache_->options().max_idle);
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
    std::unique_ptr<cache_type> cache_;
};

template <class Subject>
class buffer_caches : public testing::Test {
protected:
    using watched = watched_cache<Subject>;

    static std::size_t random_alignment(std::mt19937& random) {
        return random() % 8 == 0 ? std::size_t{32} << random() % 4 : 16;
    }
    static buffer get_marked(typename watched::cache_type& cache, std::mt19937& random,
                             std::size_t largest) {
        const std::size_t size = random_size(random, largest);
        const std::size_t alignment = random_alignment(random);
        buffer got = cache.get(size, alignment);
        EXPECT_EQ(got.size(), size);
        EXPECT_GE(got.capacity(), size);
        EXPECT_TRUE(is_aligned(got.data(), alignment));
        mark(got.data(), got.capacity());
        return got;
    }
    static void put_marked(typename watched::cache_type& cache, buffer&& from) {
        EXPECT_TRUE(is_marked(from.data(), from.capacity()));
        cache.put(std::move(from));
    }
    static buffer take_one(std::vector<buffer>& from, std::mt19937& random) {
        std::swap(from[random() % from.size()], from.back());
        buffer taken = std::move(from.back());
        from.pop_back();
        return taken;
    }
};

TYPED_TEST_SUITE_P(buffer_caches);

TYPED_TEST_P(buffer_caches, gives_bytes_that_are_nobody_else_s) {
    watched_cache<TypeParam> cache;
    std::mt19937 random(1);
    std::vector<buffer> in_use;
    for (int step = 0; step < 4000 && !this->HasFailure(); ++step) {
        if (in_use.empty() || random() % 41 < 20) {
            in_use.push_back(this->get_marked(*cache, random, 20'000));
        } else {
            this->put_marked(*cache, this->take_one(in_use, random));
        }
        if (random() % 500 == 0) cache->trim(random() % 20'000);
        if (step % 100 == 0) cache.expect_conserved(in_use);
    }
    EXPECT_GT(cache->statistics().hits, 0U);
    in_use.clear();
    cache.expect_conserved({});
    cache->trim();
    EXPECT_EQ(cache.upstream().pieces_lent(), 0U);
}

TYPED_TEST_P(buffer_caches, never_keeps_more_than_it_may) {
    std::mt19937 random(2);
    for (const std::size_t most : {0, 1, 100, 1'000, 10'000, 100'000}) {
        for (const std::size_t most_of_a_thread : {most, most / 3, most * 2}) {
            buffer_cache_options options;
            options.max_idle = most;
            options.max_idle_per_thread = most_of_a_thread;
            options.cutoff = 5'000;
            watched_cache<TypeParam> cache(options);
            std::vector<buffer> in_use;
            for (int step = 0; step < 300; ++step) {
                if (in_use.empty() || random() % 41 < 20) {
                    in_use.push_back(this->get_marked(*cache, random, 10'000));
                } else {
                    this->put_marked(*cache, this->take_one(in_use, random));
                }
                cache.expect_conserved(in_use);
            }
        }
    }
}

TYPED_TEST_P(buffer_caches, survives_any_failure_of_the_upstream) {
    for (long failing = 1;; ++failing) {
        ASSERT_LT(failing, 1000);
        watched_cache<TypeParam> cache;
        std::mt19937 random(3);
        std::vector<buffer> in_use;
        cache.upstream().fail_from(failing);
        long refused = 0;
        for (int step = 0; step < 60; ++step) {
            try {
                if (in_use.empty() || random() % 41 < 25) {
                    in_use.push_back(this->get_marked(*cache, random, 20'000));
                } else {
                    this->put_marked(*cache, this->take_one(in_use, random));
                }
            } catch (const std::bad_alloc&) {
                ++refused;
            }
        }
        EXPECT_EQ(refused, cache.upstream().failures());
        cache.upstream().fail_from(0);
        cache.expect_conserved(in_use);
        in_use.push_back(this->get_marked(*cache, random, 20'000));
        for (buffer& each : in_use) this->put_marked(*cache, std::move(each));
        if (refused == 0) break;
    }
}

TYPED_TEST_P(buffer_caches, refuses_what_nobody_has) {
    watched_cache<TypeParam> cache;
    EXPECT_THROW((void)cache->get(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    EXPECT_THROW((void)cache->get(std::numeric_limits<std::size_t>::max() / 2 - 10),
                 std::bad_alloc);
    cache.expect_conserved({});
}

TYPED_TEST_P(buffer_caches, serves_threads_that_hand_buffers_to_each_other) {
    buffer_cache_options options;
    options.max_idle = 50'000;
    options.max_idle_per_thread = 20'000;
    watched_cache<TypeParam> cache(options);
    std::mutex mutex;
    std::vector<buffer> handed_over;
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<buffer> mine;
        for (int step = 0; step < 1500; ++step) {
            if (mine.empty() || random() % 41 < 20) {
                mine.push_back(this->get_marked(*cache, random, 3'000));
            } else if (random() % 2 == 0) {
                this->put_marked(*cache, this->take_one(mine, random));
            } else {
                const std::lock_guard lock(mutex);
                handed_over.push_back(this->take_one(mine, random));
                std::swap(handed_over[random() % handed_over.size()], handed_over.back());
                this->put_marked(*cache, std::move(handed_over.back()));
                handed_over.pop_back();
                if (!mine.empty()) handed_over.push_back(this->take_one(mine, random));
            }
            if (random() % 300 == 0) cache->trim(random() % 50'000);
            if (random() % 300 == 0) cache->trim_older_than(std::chrono::milliseconds(1));
            if (random() % 300 == 0) (void)cache->statistics();
        }
        for (buffer& each : mine) this->put_marked(*cache, std::move(each));
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
    for (std::thread& each : threads) each.join();
    cache.expect_conserved(handed_over);
    for (buffer& each : handed_over) this->put_marked(*cache, std::move(each));
    cache.expect_conserved({});
}

TYPED_TEST_P(buffer_caches, outlives_its_threads_and_their_buffers) {
    watched_cache<TypeParam> cache;
    std::vector<buffer> left;
    for (int round = 0; round < 5; ++round) {
        std::thread([&] {
            std::mt19937 random(4);
            std::vector<buffer> mine;
            for (int i = 0; i < 20; ++i) mine.push_back(this->get_marked(*cache, random, 2'000));
            for (int i = 0; i < 10; ++i) {
                this->put_marked(*cache, this->take_one(mine, random));
            }
            for (buffer& each : mine) left.push_back(std::move(each));
        }).join();
        cache.expect_conserved(left);
        for (int i = 0; i < 5; ++i) {
            this->put_marked(*cache, std::move(left.back()));
            left.pop_back();
        }
        cache.expect_conserved(left);
    }
    for (buffer& each : left) this->put_marked(*cache, std::move(each));
}

TYPED_TEST_P(buffer_caches, lets_the_address_sanitizer_find_uses_of_what_came_back) {
    if constexpr (!detail::under_address_sanitizer) {
        GTEST_SKIP() << "for builds with the address sanitizer";
    } else {
        watched_cache<TypeParam> cache;
        void* const data = cache->allocate(100);
        auto* const bytes = static_cast<std::byte*>(data);
        EXPECT_EQ(__asan_address_is_poisoned(bytes), 0);
        EXPECT_EQ(__asan_address_is_poisoned(bytes + 99), 0);
        cache->deallocate(data);
        EXPECT_NE(__asan_address_is_poisoned(bytes), 0);
        EXPECT_NE(__asan_address_is_poisoned(bytes + 90), 0);
        void* const again = cache->allocate(100);
        EXPECT_EQ(again, data);
        EXPECT_EQ(__asan_address_is_poisoned(bytes), 0);
        cache->deallocate(again);
    }
}

REGISTER_TYPED_TEST_SUITE_P(buffer_caches, gives_bytes_that_are_nobody_else_s,
                            never_keeps_more_than_it_may, survives_any_failure_of_the_upstream,
                            refuses_what_nobody_has, serves_threads_that_hand_buffers_to_each_other,
                            outlives_its_threads_and_their_buffers,
                            lets_the_address_sanitizer_find_uses_of_what_came_back);

}  // namespace freehold::contracts
