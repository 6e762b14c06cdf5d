// SPDX-License-Identifier: BSL-1.0
// A buffer_cache in a process without memory: a thread that cannot have a thread cache uses the
// fallback cache.
#include <freehold/cache/buffer_cache.hpp>
#include <freehold/memory/pages.hpp>

#include "handle/failing_new.hpp"

#include <cstddef>
#include <new>
#include <optional>

#include <gtest/gtest.h>

namespace freehold {
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

}  // namespace
}  // namespace freehold
