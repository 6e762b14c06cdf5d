// SPDX-License-Identifier: BSL-1.0
// What every pool promises, whatever its options. A subject has `static pool_options options()`.
#pragma once

#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/marked_memory.hpp"
#include "contracts/use_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Subject>
class pool_contract : public testing::Test {
protected:
    void TearDown() override { expect_conserved(pool_, 0); }

    // As many blocks as a test may have at once.
    [[nodiscard]] std::size_t plenty() const {
        return std::min<std::size_t>(pool_.options().maximum_capacity, 3000);
    }

    pool pool_{Subject::options()};
};

TYPED_TEST_SUITE_P(pool_contract);

TYPED_TEST_P(pool_contract, is_what_its_options_ask) {
    const pool_options asked = TypeParam::options();
    EXPECT_EQ(this->pool_.block_size(), asked.block_size);
    EXPECT_GE(this->pool_.alignment(), asked.alignment);
    EXPECT_GE(this->pool_.stride(), asked.block_size);
    EXPECT_TRUE(this->pool_.stride() % asked.alignment == 0);
    EXPECT_EQ(this->pool_.name(), asked.name);
    EXPECT_GE(this->pool_.magazine_size(), 1U);
    if (asked.magazine_size != 0) {
        EXPECT_EQ(this->pool_.magazine_size(), asked.magazine_size);
    }
    const pool_statistics fresh = this->pool_.statistics();
    EXPECT_EQ(fresh.capacity, asked.initial_capacity);
    EXPECT_EQ(fresh.high_water, 0U);
    EXPECT_EQ(fresh.allocations, 0U);
    EXPECT_EQ(fresh.frees, 0U);
    EXPECT_EQ(fresh.exhaustions, 0U);
}

TYPED_TEST_P(pool_contract, gives_distinct_aligned_blocks_of_its_own) {
    const std::vector<void*> blocks = take(this->pool_, this->plenty());
    const std::set<void*, std::less<>> sorted(blocks.begin(), blocks.end());
    ASSERT_EQ(sorted.size(), blocks.size());
    const std::byte* last_end = nullptr;
    for (void* block : sorted) {
        EXPECT_TRUE(this->pool_.owns(block));
        EXPECT_LE(last_end, block);
        last_end = static_cast<std::byte*>(block) + this->pool_.block_size();
    }
    const int elsewhere = 0;
    EXPECT_FALSE(this->pool_.owns(&elsewhere));
    expect_conserved(this->pool_, blocks.size());
    give_back(this->pool_, blocks);
}

TYPED_TEST_P(pool_contract, leaves_blocks_in_use_alone) {
    const std::size_t size = this->pool_.block_size();
    std::vector<void*> blocks = take(this->pool_, this->plenty());
    for (void* block : blocks) mark(block, size);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937(1));
    while (!blocks.empty()) {
        ASSERT_TRUE(is_marked(blocks.back(), size));
        this->pool_.deallocate(blocks.back());
        blocks.pop_back();
    }
}

// Nothing is zeroed and no list runs through free blocks, unless somebody asked to find errors.
TYPED_TEST_P(pool_contract, does_not_touch_free_blocks) {
    if (this->pool_.options().checked || detail::under_address_sanitizer) return;
    const std::size_t size = this->pool_.block_size();
    std::vector<void*> blocks = take(this->pool_, this->plenty());
    for (void* block : blocks) mark(block, size);
    give_back(this->pool_, blocks);
    std::set<void*> known(blocks.begin(), blocks.end());
    std::size_t seen_again = 0;
    std::vector<void*> again = take(this->pool_, this->plenty());
    for (void* block : again) {
        if (known.erase(block) == 0) continue;
        ++seen_again;
        EXPECT_TRUE(is_marked(block, size));
    }
    EXPECT_GT(seen_again, 0U);
    give_back(this->pool_, again);
}

TYPED_TEST_P(pool_contract, has_all_blocks_again_before_it_grows) {
    std::vector<void*> blocks = take(this->pool_, this->plenty());
    const std::size_t capacity = this->pool_.statistics().capacity;
    std::mt19937 random(2);
    for (int round = 0; round < 3; ++round) {
        std::shuffle(blocks.begin(), blocks.end(), random);
        give_back(this->pool_, blocks);
        expect_conserved(this->pool_, 0);
        blocks = take(this->pool_, capacity);
        EXPECT_EQ(this->pool_.statistics().capacity, capacity);
        EXPECT_EQ(this->pool_.statistics().in_use, capacity);
    }
    give_back(this->pool_, blocks);
}

TYPED_TEST_P(pool_contract, gives_and_takes_back_any_number_at_once) {
    const std::size_t magazine = this->pool_.magazine_size();
    for (std::size_t number :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, magazine - 1, magazine, magazine + 1,
          2 * magazine, 5 * magazine + 1, this->plenty()}) {
        number = std::min(number, this->plenty());
        std::vector<void*> blocks(number, nullptr);
        ASSERT_EQ(this->pool_.allocate_bulk(blocks), number);
        EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), number);
        expect_conserved(this->pool_, number);
        for (void* block : blocks) {
            ASSERT_TRUE(this->pool_.owns(block));
            ASSERT_TRUE(is_aligned(block, this->pool_.alignment()));
        }
        this->pool_.deallocate_bulk(blocks);
        expect_conserved(this->pool_, 0);
    }
}

TYPED_TEST_P(pool_contract, serves_single_and_bulk_calls_at_random) {
    for (unsigned seed = 0; seed < 3; ++seed) {
        const std::vector<void*> left = use_at_random(this->pool_, seed, 3000, this->plenty());
        expect_conserved(this->pool_, left.size());
        this->pool_.deallocate_bulk(left);
    }
}

TYPED_TEST_P(pool_contract, gives_a_thread_s_blocks_to_the_depot_when_told) {
    give_back(this->pool_, take(this->pool_, this->plenty()));
    this->pool_.release_thread_cache();
    const pool_statistics now = this->pool_.statistics();
    EXPECT_EQ(now.cached, 0U);
    EXPECT_EQ(now.in_depot, now.capacity);
    give_back(this->pool_, take(this->pool_, this->plenty()));
    EXPECT_EQ(this->pool_.statistics().capacity, now.capacity);
    EXPECT_LE(this->pool_.statistics().cached, 2 * this->pool_.magazine_size());
}

REGISTER_TYPED_TEST_SUITE_P(pool_contract, is_what_its_options_ask,
                            gives_distinct_aligned_blocks_of_its_own, leaves_blocks_in_use_alone,
                            does_not_touch_free_blocks, has_all_blocks_again_before_it_grows,
                            gives_and_takes_back_any_number_at_once,
                            serves_single_and_bulk_calls_at_random,
                            gives_a_thread_s_blocks_to_the_depot_when_told);

}  // namespace freehold::contracts
