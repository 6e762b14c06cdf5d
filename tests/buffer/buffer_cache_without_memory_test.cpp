// SPDX-License-Identifier: BSL-1.0
// A buffer_cache in a process without memory: a thread that cannot have a thread cache uses the
// fallback cache.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/buffer_policies.hpp>
#include <freehold/buffer/buffer_resource.hpp>
#include <freehold/memory/pages.hpp>

#include "handle/failing_new.hpp"

#include <chrono>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::buffer_cache_without_memory_test {
namespace {

TEST(buffer_cache_out_of_memory, serves_threads_from_the_fallback_cache) {
    page_resource upstream;
    buffer_cache<> cache({.upstream = &upstream});
    for (int k = 1;; ++k) {
        tests::fail_allocation(k);
        void* first = nullptr;
        EXPECT_NO_THROW(first = cache.allocate(1000)) << "allocation " << k;
        cache.deallocate(first);
        void* again = nullptr;
        EXPECT_NO_THROW(again = cache.allocate(1000)) << "allocation " << k;
        cache.deallocate(again);
        const bool failed = tests::has_failed();
        tests::fail_allocation(0);
        EXPECT_EQ(again, first) << "allocation " << k;
        if (!failed || testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(cache.statistics().misses, 1U);
    EXPECT_EQ(cache.statistics().returns, cache.statistics().requests);
}

TEST(buffer_cache_out_of_memory, throws_from_the_constructor_or_is_complete) {
    page_resource upstream;
    // The first cache of a process allocates the list of all slots, which stays.
    static_cast<void>(buffer_cache<>({.upstream = &upstream}).open_session());
    for (int k = 1;; ++k) {
        const long live = tests::live_allocations();
        tests::fail_allocation(k);
        try {
            buffer_cache<> cache({.upstream = &upstream});
            static_cast<void>(cache.open_session());
        } catch (const std::bad_alloc&) {
            EXPECT_TRUE(tests::has_failed());
        }
        const bool failed = tests::has_failed();
        tests::fail_allocation(0);
        EXPECT_EQ(tests::live_allocations(), live) << "allocation " << k;
        if (!failed || testing::Test::HasFailure()) break;
    }
}

TEST(buffer_cache_out_of_memory, throws_from_statistics) {
    page_resource upstream;
    buffer_cache<> cache({.upstream = &upstream});
    cache.deallocate(cache.allocate(100));
    tests::fail_allocation(1);
    EXPECT_THROW(static_cast<void>(cache.statistics()), std::bad_alloc);
    tests::fail_allocation(0);
    EXPECT_EQ(cache.statistics().requests, 1U);
}

using used_cache = buffer_cache<geometric_buckets>;

// What is done with a cache that this thread has used before.
struct operation {
    const char* name;
    void (*run)(used_cache&);
};
constexpr operation operations[] = {
    {"allocate", [](used_cache& cache) { cache.deallocate(cache.allocate(5'000)); }},
    {"allocate much at once",
     [](used_cache& cache) {
         std::vector<std::byte*> out;
         out.reserve(40);
         try {
             for (std::size_t size = 1'000; out.size() != 40; size += 700) {
                 out.push_back(static_cast<std::byte*>(cache.allocate(size)));
             }
         } catch (const std::bad_alloc&) {
             for (std::byte* each : out) cache.deallocate(each);
             throw;
         }
         for (std::byte* each : out) cache.deallocate(each);
     }},
    {"open a session", [](used_cache& cache) { static_cast<void>(cache.open_session()); }},
    {"trim", [](used_cache& cache) { cache.trim(); }},
    {"trim by age", [](used_cache& cache) { cache.trim_older_than(std::chrono::nanoseconds(0)); }},
    {"tell statistics", [](used_cache& cache) { static_cast<void>(cache.statistics()); }},
    {"tell a histogram", [](used_cache& cache) { static_cast<void>(cache.histogram()); }},
    {"serve a resource",
     [](used_cache& cache) {
         buffer_resource<used_cache> resource(cache);
         resource.deallocate(resource.allocate(9'000, 64), 9'000, 64);
     }},
};

// Each operation, with a new cache for each of its allocations that is refused. The upstream is the
// heap, so that those of buffers are refused as well.
TEST(buffer_cache_out_of_memory, loses_nothing_at_whichever_allocation_it_is_refused) {
    static_cast<void>(used_cache({.upstream = nullptr}).open_session());
    int refusals = 0;
    for (const operation& each : operations) {
        SCOPED_TRACE(each.name);
        for (long k = 1;; ++k) {
            const long live = tests::live_allocations();
            bool failed = false;
            {
                used_cache cache({.upstream = std::pmr::new_delete_resource()});
                cache.deallocate(cache.allocate(2'000));
                tests::fail_allocation(k);
                try {
                    each.run(cache);
                } catch (const std::bad_alloc&) {
                    EXPECT_TRUE(tests::has_failed());
                }
                failed = tests::has_failed();
                tests::fail_allocation(0);
                EXPECT_EQ(cache.statistics().returns, cache.statistics().requests);
                cache.deallocate(cache.allocate(2'000));
            }
            EXPECT_EQ(tests::live_allocations(), live) << "refused allocation " << k;
            if (!failed || HasFailure()) break;
            ++refusals;
        }
    }
    EXPECT_GE(refusals, 20);
}

}  // namespace
}  // namespace freehold::buffer_cache_without_memory_test
