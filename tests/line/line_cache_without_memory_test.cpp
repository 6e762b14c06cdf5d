// SPDX-License-Identifier: BSL-1.0
// Every allocation of a line_cache fails once. Each failure is reported, and nothing is lost.
#include <freehold/line/line_cache.hpp>

#include "handle/failing_new.hpp"
#include "line/scripted_source.hpp"

#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include <gtest/gtest.h>

namespace freehold::line_cache_without_memory_test {
namespace {

using tests::are_made;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;

line_cache_options options() {
    line_cache_options asked;
    asked.line_size = line_size;
    asked.capacity = 4 * line_size;
    return asked;
}

// Runs `use` on fresh caches with the first, second, ... allocation failing, until none fails. Each
// cache must then work as if it were new. Returns the number of allocations. The cache is not
// destroyed in between, so that what it keeps for reuse is not counted as lost.
template <class Use>
int fail_each(scripted_source& source, const line_cache_options& asked, Use use) {
    for (int k = 1;; ++k) {
        line_cache<scripted_source> cache(source, asked);
        tests::fail_allocation(k);
        try {
            use(cache);
        } catch (const std::bad_alloc&) {
            EXPECT_TRUE(tests::has_failed());
        } catch (const source_error&) {
            // The details of the failure could not be allocated.
            EXPECT_TRUE(tests::has_failed());
        }
        const bool failed = tests::has_failed();
        tests::fail_allocation(0);
        const line_cache_statistics now = cache.statistics();
        EXPECT_EQ(now.bytes_in_lines, now.lines * line_size) << "allocation " << k;
        for (std::uint64_t i = 0; i != 6; ++i) {
            EXPECT_TRUE(are_made(cache.get("a", i * line_size).bytes(), "a", 1, i * line_size))
                << "allocation " << k;
        }
        if (!failed || testing::Test::HasFailure()) return k - 1;
    }
}

class line_cache_out_of_memory : public testing::Test {
protected:
    line_cache_out_of_memory() { source.put("a", 6 * line_size); }

    scripted_source source{0};
};

TEST_F(line_cache_out_of_memory, throws_from_the_constructor) {
    line_cache_options asked = options();
    asked.name = "a name that is longer than what a string holds in itself";
    // The common pools keep what two caches took, so another one makes them grow no more.
    { const line_cache<scripted_source> first(source, asked), second(source, asked); }
    const int no_objects = 0;
    const int failures = tests::fail_at_each_allocation(
        [&] { line_cache<scripted_source> cache(source, asked); }, no_objects);
    EXPECT_GE(failures, 3);
}

TEST_F(line_cache_out_of_memory, returns_cached_lines) {
    line_cache<scripted_source> cache(source, options());
    const cached_object opened = cache.open("a");
    static_cast<void>(cache.get("a", 0));
    tests::fail_allocation(1);
    const line by_name = cache.get("a", 10);
    const line by_object = cache.get(opened, 20, 30);
    const line copy = by_name;
    EXPECT_FALSE(tests::has_failed()) << "a warm get takes no memory";
    tests::fail_allocation(0);
    EXPECT_EQ(by_name, by_object);
    EXPECT_EQ(copy, by_name);
}

TEST_F(line_cache_out_of_memory, returns_cached_ranges) {
    line_cache<scripted_source> cache(source, options());
    const cached_object opened = cache.open("a");
    ASSERT_TRUE(cache.get_range(opened, 0, 2 * line_size));
    tests::fail_allocation(1);
    const line_range range = cache.get_range(opened, 10, line_size);
    EXPECT_FALSE(tests::has_failed()) << "a warm get takes no memory";
    tests::fail_allocation(0);
    EXPECT_TRUE(are_made(range.bytes(), "a", 1, 10));
}

// An empty range is an answer, too.
TEST_F(line_cache_out_of_memory, fails_a_get_of_a_range) {
    line_cache_options asked = options();
    asked.coalesce = 2;
    EXPECT_GE(fail_each(source, asked,
                        [](auto& cache) {
                            for (std::uint64_t i = 0; i != 6; i += 2) {
                                const line_range found =
                                    cache.get_range("a", i * line_size, 2 * line_size);
                                EXPECT_TRUE(are_made(found.bytes(), "a", 1, i * line_size));
                                EXPECT_TRUE(found || tests::has_failed());
                            }
                        }),
              15);
}

TEST_F(line_cache_out_of_memory, fails_a_get) {
    EXPECT_GE(fail_each(source, options(),
                        [](auto& cache) {
                            const line found = cache.get("a", 0);
                            EXPECT_TRUE(are_made(found.bytes(), "a", 1, 0));
                        }),
              5);
}

TEST_F(line_cache_out_of_memory, fails_a_get_that_evicts) {
    EXPECT_GE(fail_each(source, options(),
                        [](auto& cache) {
                            for (std::uint64_t i = 0; i != 6; ++i) {
                                static_cast<void>(cache.get("a", i * line_size));
                            }
                        }),
              10);
}

TEST_F(line_cache_out_of_memory, calls_back_or_throws) {
    EXPECT_GE(fail_each(source, options(),
                        [](auto& cache) {
                            int answers = 0;
                            bool threw = false;
                            try {
                                cache.get_async(
                                    "a", 0, [&](const line& found, const std::exception_ptr& why) {
                                        EXPECT_EQ(static_cast<bool>(found), why == nullptr);
                                        EXPECT_EQ(why != nullptr, tests::has_failed());
                                        ++answers;
                                    });
                            } catch (const std::bad_alloc&) {
                                threw = true;
                            }
                            EXPECT_EQ(answers, threw ? 0 : 1);
                        }),
              4);
}

TEST_F(line_cache_out_of_memory, prefetches_less) {
    line_cache_options asked = options();
    asked.prefetch = 2;
    asked.coalesce = 2;
    EXPECT_GE(fail_each(source, asked,
                        [](auto& cache) {
                            static_cast<void>(cache.get("a", 0));
                            static_cast<void>(cache.get("a", 3 * line_size));
                            cache.prefetch("a", 0, 6);
                        }),
              10);
}

TEST_F(line_cache_out_of_memory, invalidates_or_throws) {
    const std::string tag = "a tag that is longer than what a string holds in itself";
    EXPECT_GE(fail_each(source, options(),
                        [&](auto& cache) {
                            static_cast<void>(cache.get("a", 0));
                            try {
                                cache.invalidate("a", tag);
                            } catch (const std::bad_alloc&) {
                                EXPECT_EQ(cache.statistics().lines, 1u);
                                throw;
                            }
                            EXPECT_EQ(cache.statistics().lines, 0u);
                            cache.invalidate("a");
                        }),
              6);
}

TEST_F(line_cache_out_of_memory, reports_a_failed_request_without_details) {
    source.on_request([](line_read& read) {
        static_cast<void>(read.begin({6 * line_size, "version 1"}));
        read.finish();
    });
    for (int k = 1;; ++k) {
        line_cache<scripted_source> cache(source, options());
        tests::fail_allocation(k);
        EXPECT_ANY_THROW(static_cast<void>(cache.get("a", 0)));
        const bool failed = tests::has_failed();
        tests::fail_allocation(0);
        EXPECT_EQ(cache.statistics().bytes_in_lines, 0u) << "allocation " << k;
        if (!failed || HasFailure()) break;
    }
}

}  // namespace
}  // namespace freehold::line_cache_without_memory_test
