// SPDX-License-Identifier: BSL-1.0
// Options that cannot be, and what a pool chooses by itself.
#include <freehold/detail/platform/pages.hpp>
#include <freehold/memory/detail/default_magazine.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/observed_resource.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace freehold::pool_options_test {
namespace {

pool_options of_size(std::size_t block_size) {
    pool_options asked;
    asked.block_size = block_size;
    asked.name = "wrong";
    return asked;
}

void expect_refused(const pool_options& asked, const std::string& message) {
    try {
        const pool made(asked);
        FAIL() << "accepted what should be refused: " << message;
    } catch (const std::invalid_argument& error) {
        EXPECT_EQ(error.what(), "freehold: pool 'wrong': " + message);
    }
}

TEST(pool_options_that_cannot_be, are_refused_with_what_is_wrong) {
    expect_refused(of_size(0), "block_size is 0: say how many bytes a block has");
    expect_refused(of_size(pool_options::unlimited), "block_size is more than memory has");

    for (const std::size_t alignment : {0, 3, 24, 100}) {
        pool_options asked = of_size(64);
        asked.alignment = alignment;
        expect_refused(asked, "alignment is not a power of two");
    }
    pool_options asked = of_size(64);
    asked.alignment = std::size_t{1} << 40;
    expect_refused(asked, "alignment is more than 1 GiB");

    asked = of_size(64);
    asked.maximum_capacity = 0;
    expect_refused(asked, "maximum_capacity is 0: no block could be had");
    asked.maximum_capacity = 9;
    asked.initial_capacity = 10;
    expect_refused(asked, "initial_capacity is more than maximum_capacity");

    asked = of_size(64);
    asked.magazine_size = 32768;
    expect_refused(asked, "magazine_size is more than 32767");

    asked = of_size(64);
    asked.on_exhaustion = exhaustion::call_back;
    expect_refused(asked, "on_exhaustion is call_back, but when_exhausted is not set");
    asked.on_exhaustion = exhaustion::wait;
    asked.when_exhausted = [](pool&) { return false; };
    expect_refused(asked, "when_exhausted is set, but on_exhaustion is not call_back");

    asked = of_size(64);
    asked.wait_limit = std::chrono::nanoseconds(-1);
    expect_refused(asked, "wait_limit is negative");

    asked = of_size(64);
    asked.huge = huge_pages::transparent;
    asked.upstream = std::pmr::new_delete_resource();
    expect_refused(asked, "huge pages are for the pool's own pages: give them to the upstream");
}

TEST(pool_options_that_cannot_be, are_bad_alloc_where_only_memory_is_lacking) {
    pool_options asked = of_size(std::size_t{1} << 40);
    asked.initial_capacity = std::size_t{1} << 40;
    EXPECT_THROW(const pool made(asked), std::bad_alloc);
    asked = of_size(64);
    asked.initial_capacity = pool_options::unlimited;
    EXPECT_THROW(const pool made(asked), std::bad_alloc);

    contracts::observed_resource upstream;
    upstream.fail_from(1);
    asked = of_size(64);
    asked.initial_capacity = 1;
    asked.upstream = &upstream;
    EXPECT_THROW(const pool made(asked), std::bad_alloc);
}

TEST(pool_options_that_are_left_open, are_chosen_and_told) {
    const pool small(of_size(64));
    EXPECT_GE(small.magazine_size(), 256U);
    EXPECT_LE(small.magazine_size(), 512U);
    EXPECT_EQ(small.options().magazine_size, small.magazine_size());
    EXPECT_EQ(small.name(), "wrong");

    const pool packets(of_size(2048));
    EXPECT_EQ(packets.magazine_size(),
              detail::default_magazine_size(packets.stride(), pool_options::unlimited,
                                            detail::caches_of_this_processor()));

    // A bulk call of the usual size takes or fills a magazine without a rest.
    for (const std::size_t size : {64, 1500, 2048, 2112, 4096, 9000}) {
        EXPECT_EQ(pool(of_size(size)).magazine_size() % 32, 0U) << size;
    }

    // Not the whole cache of a processor for large blocks, nor the whole pool for few.
    const pool large(of_size(std::size_t{1} << 20));
    EXPECT_LE(large.magazine_size(), 32U);
    pool_options asked = of_size(64);
    asked.maximum_capacity = 100;
    EXPECT_LE(pool(asked).magazine_size(), 100U / 8);
    asked.maximum_capacity = 1;
    EXPECT_EQ(pool(asked).magazine_size(), 1U);
}

TEST(pool_options_that_are_left_open, fit_a_magazine_to_the_processors_caches) {
    constexpr std::size_t kib = 1024;
    const auto blocks_of_2_kib = [](std::size_t second_level, bool gives_up_to_third_level) {
        return detail::default_magazine_size(2 * kib, pool_options::unlimited,
                                             {second_level, gives_up_to_third_level});
    };
    EXPECT_EQ(blocks_of_2_kib(2048 * kib, false), 256U);
    EXPECT_EQ(blocks_of_2_kib(1024 * kib, false), 256U);
    EXPECT_EQ(blocks_of_2_kib(256 * kib, false), 64U);
    EXPECT_EQ(blocks_of_2_kib(1024 * kib, true), 512U);
    EXPECT_EQ(blocks_of_2_kib(512 * kib, true), 256U);
    // What the system does not say bounds nothing.
    EXPECT_EQ(blocks_of_2_kib(0, false), 256U);
    EXPECT_EQ(blocks_of_2_kib(0, true), 512U);
}

TEST(pool_options_that_are_left_open, keep_large_blocks_from_competing_for_the_caches_sets) {
    for (const std::size_t size : {512, 1024, 2048, 4096, 9000}) {
        const pool made(of_size(size));
        EXPECT_EQ(made.stride() % 64, 0U);
        EXPECT_EQ(made.stride() / 64 % 2, 1U) << size;
        EXPECT_LT(made.stride(), size + 128);
    }
    // A line more would be too much for a small one, and is against what was asked here.
    EXPECT_EQ(pool(of_size(16)).stride(), 16U);
    pool_options asked = of_size(4096);
    asked.alignment = 4096;
    EXPECT_EQ(pool(asked).stride(), 4096U);
}

TEST(pool_options_that_are_left_open, take_memory_from_pages_or_from_the_upstream) {
    const pool paged(of_size(64));
    EXPECT_NE(dynamic_cast<page_resource*>(&paged.upstream()), nullptr);
    contracts::observed_resource upstream;
    pool_options asked = of_size(64);
    asked.upstream = &upstream;
    const pool made(asked);
    EXPECT_EQ(&made.upstream(), &upstream);
    EXPECT_EQ(upstream.allocations(), 0) << "a pool takes memory when it needs some";
}

// Pages of the pool's memory that are there after one block was allocated.
std::size_t resident_pages(const pool_options& asked) {
    pool tested(asked);
    void* const block = tested.allocate();
    auto* first = static_cast<std::byte*>(block);
    while (tested.owns(first - tested.stride())) first -= tested.stride();
    std::vector<unsigned char> resident(tested.statistics().capacity);
    EXPECT_EQ(::mincore(first, resident.size() * tested.stride(), resident.data()), 0);
    tested.deallocate(block);
    return static_cast<std::size_t>(
        std::count_if(resident.begin(), resident.end(), [](unsigned char r) { return r & 1; }));
}

TEST(pool_options_about_pages, have_all_there_before_their_use_if_asked) {
    pool_options asked = of_size(detail::page_size());
    asked.alignment = asked.block_size;
    asked.initial_capacity = 512;
    asked.magazine_size = 8;
    EXPECT_LT(resident_pages(asked), asked.initial_capacity / 2);
    asked.prefault = true;
    EXPECT_EQ(resident_pages(asked), asked.initial_capacity);

    page_resource lazy;
    asked.upstream = &lazy;
    EXPECT_EQ(resident_pages(asked), asked.initial_capacity);
}

TEST(pool_options_about_pages, ask_for_huge_ones) {
    for (const huge_pages huge : {huge_pages::never, huge_pages::transparent}) {
        pool_options asked = of_size(2048);
        asked.huge = huge;
        pool tested(asked);
        const auto& pages = dynamic_cast<const page_resource&>(tested.upstream());
        EXPECT_EQ(pages.options().huge, huge);
        tested.deallocate(tested.allocate());
        // Whole huge pages, or there would be no room for one.
        EXPECT_EQ(tested.statistics().capacity * tested.stride() > huge_page_size / 2,
                  huge == huge_pages::transparent);
    }
}

}  // namespace
}  // namespace freehold::pool_options_test
