// SPDX-License-Identifier: BSL-1.0
// Which blocks a pool gives first: a processor's caches and prefetchers live by that.
#include <freehold/memory/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_order_test {
namespace {

constexpr std::size_t magazine = 64;
constexpr std::size_t many = 8 * magazine;

// Has one chunk. The parameter says how many blocks a call takes or gives, 1 for one by one.
class the_order_of_blocks : public testing::TestWithParam<std::size_t> {
protected:
    std::vector<void*> take(std::size_t count) {
        std::vector<void*> blocks(count);
        for_each_burst(blocks, [&](std::span<void*> burst) {
            if (GetParam() == 1) {
                burst.front() = tested_.allocate();
            } else {
                EXPECT_EQ(tested_.allocate_bulk(burst), burst.size());
            }
        });
        return blocks;
    }
    void give(std::span<void*> blocks) {
        for_each_burst(blocks, [&](std::span<void*> burst) {
            if (GetParam() == 1) {
                tested_.deallocate(burst.front());
            } else {
                tested_.deallocate_bulk(burst);
            }
        });
    }

private:
    template <class Call>
    void for_each_burst(std::span<void*> blocks, Call call) {
        while (!blocks.empty()) {
            const std::size_t size = std::min(GetParam(), blocks.size());
            call(blocks.first(size));
            blocks = blocks.subspan(size);
        }
    }

    static pool_options options() {
        pool_options asked;
        asked.block_size = 2048;
        asked.magazine_size = magazine;
        asked.initial_capacity = many;
        return asked;
    }
    pool tested_{options()};
};

TEST_P(the_order_of_blocks, goes_up_in_address_from_a_chunk) {
    std::vector<void*> blocks = take(many);
    EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end(), std::less<>()));
    give(blocks);
}

TEST_P(the_order_of_blocks, is_within_a_magazine_that_in_which_another_thread_freed_them) {
    std::vector<void*> blocks = take(many);
    // Against the addresses, so that it is not by these that they come.
    std::reverse(blocks.begin(), blocks.end());
    std::vector<void*> again;
    std::thread([&] {
        give(blocks);
        // The last two magazines are this thread's as long as it lives.
        std::thread([&] { again = take(many - 2 * magazine); }).join();
    }).join();
    std::size_t against = 0;
    for (std::size_t i = 1; i < again.size(); ++i) {
        if (!std::greater<>()(again[i - 1], again[i])) ++against;
    }
    EXPECT_EQ(against, again.size() / magazine - 1) << "but between magazines the other way round";
    give(again);
}

TEST_P(the_order_of_blocks, gives_a_thread_first_what_it_freed_last) {
    std::vector<void*> blocks = take(magazine);
    give(blocks);
    std::vector<void*> again = take(std::min(GetParam(), magazine));
    EXPECT_TRUE(std::is_permutation(again.begin(), again.end(), blocks.end() - std::ssize(again)));
    give(again);
}

INSTANTIATE_TEST_SUITE_P(of_calls_for, the_order_of_blocks,
                         testing::Values(1, 7, 32, magazine, 3 * magazine / 2),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace freehold::pool_order_test
