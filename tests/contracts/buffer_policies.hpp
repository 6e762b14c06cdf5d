// SPDX-License-Identifier: BSL-1.0
// What every policy of a buffer_cache promises, whatever its options, over and above what
// policy_play checks after each call: that it takes and drops idle blocks alone, that these satisfy
// the request, that their bytes are left alone, and that it knows how many there are.
// A subject has `policy`, and `static policy::options options()`.
#pragma once

#include "contracts/policy_play.hpp"
#include "contracts/random_size.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Subject>
class buffer_policies : public testing::Test {
protected:
    using play = policy_play<typename Subject::policy>;

    play buffers_{Subject::options()};
};

TYPED_TEST_SUITE_P(buffer_policies);

TYPED_TEST_P(buffer_policies, makes_new_buffers_large_enough) {
    const auto& policy = this->buffers_.policy();
    EXPECT_EQ(policy.idle_bytes(), 0U);
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    for (unsigned bits = 0; bits < 63; ++bits) {
        const std::size_t power = std::size_t{1} << bits;
        for (const std::size_t size : {power, power + 1, power + power / 3, 2 * power - 1}) {
            EXPECT_GE(policy.capacity_for(size), size);
        }
    }
    EXPECT_GE(policy.capacity_for(most), most);
}

TYPED_TEST_P(buffer_policies, hands_out_again_what_came_back) {
    auto& buffers = this->buffers_;
    auto* const first = buffers.get(100);
    buffers.put(first);
    ASSERT_TRUE(buffers.is_idle(first));
    EXPECT_EQ(buffers.get(100), first);
    EXPECT_EQ(buffers.idle_bytes(), 0U);
}

TYPED_TEST_P(buffer_policies, gives_no_unaligned_buffer_to_who_asks_for_alignment) {
    auto& buffers = this->buffers_;
    std::vector<buffer_block*> in_use;
    for (int round = 0; round < 5; ++round) {
        for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
            in_use.push_back(buffers.get(128, alignment));
            EXPECT_TRUE(is_aligned(in_use.back()->data(), alignment));
            in_use.push_back(buffers.get(128));
        }
        for (auto* each : in_use) buffers.put(each);
        in_use.clear();
    }
}

TYPED_TEST_P(buffer_policies, serves_and_drops_at_random) {
    auto& buffers = this->buffers_;
    std::mt19937 random(1);
    std::vector<buffer_block*> in_use;
    for (int step = 0; step < 20'000; ++step) {
        buffers.now += random() % 100'000;
        const auto thread = static_cast<std::uint32_t>(random() % 5);
        if (random() % 2000 == 0) buffers.trim(random() % (2 * buffers.idle_bytes() + 1));
        if (random() % 2000 == 0) buffers.trim_older(random() % (100 * buffers.second));
        if (random() % 1000 == 0) buffers.now += random() % (60 * buffers.second);
        if (in_use.empty() || random() % 41 < 20) {
            const std::size_t alignment = random() % 10 == 0 ? std::size_t{16} << random() % 5 : 16;
            in_use.push_back(buffers.get(random_size(random, 100'000), alignment, thread));
        } else {
            std::swap(in_use[random() % in_use.size()], in_use.back());
            buffers.put(in_use.back(), thread);
            in_use.pop_back();
        }
        if (this->HasFailure()) break;
    }
    EXPECT_GT(buffers.hits(), 0U);
}

TYPED_TEST_P(buffer_policies, trims_to_any_bound) {
    auto& buffers = this->buffers_;
    std::mt19937 random(2);
    for (const std::uint32_t thread : {0, 1, 2}) {
        std::vector<buffer_block*> in_use;
        for (int i = 0; i < 200; ++i) {
            in_use.push_back(buffers.get(random_size(random, 100'000), 16, thread));
        }
        for (auto* each : in_use) buffers.put(each, thread);
    }
    ASSERT_GT(buffers.idle_bytes(), 0U);
    const std::size_t before = buffers.idle_bytes();
    buffers.trim(before);
    EXPECT_EQ(buffers.idle_bytes(), before);
    for (const std::size_t share : {2, 3, 50}) buffers.trim(before / share);
    buffers.trim(1);
    buffers.trim(0);
    EXPECT_EQ(buffers.idle(), 0U);
}

TYPED_TEST_P(buffer_policies, drops_what_is_older) {
    auto& buffers = this->buffers_;
    constexpr std::uint64_t second = policy_play<typename TypeParam::policy>::second;
    std::mt19937 random(3);
    for (int round = 0; round < 100; ++round) {
        auto* const one = buffers.get(random_size(random, 200));
        auto* const other = buffers.get(random_size(random, 200), 16, 1);
        buffers.now += 2 * second;
        buffers.put(one);
        buffers.put(other, 1);
    }
    buffers.trim_older(100 * second);
    buffers.trim_older(10 * second);
    buffers.trim_older(0);
    EXPECT_EQ(buffers.idle(), 0U);
}

REGISTER_TYPED_TEST_SUITE_P(buffer_policies, makes_new_buffers_large_enough,
                            hands_out_again_what_came_back,
                            gives_no_unaligned_buffer_to_who_asks_for_alignment,
                            serves_and_drops_at_random, trims_to_any_bound, drops_what_is_older);

}  // namespace freehold::contracts
