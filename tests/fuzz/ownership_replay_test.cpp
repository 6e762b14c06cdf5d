// SPDX-License-Identifier: BSL-1.0
// The fuzz target's machine on programs that are always the same, for every compiler and sanitizer.
#include "fuzz/every_strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::fuzz::ownership_replay_test {
namespace {

class ownership : public testing::TestWithParam<std::size_t> {};

TEST_P(ownership, agrees_with_the_model) {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    for (std::size_t length = 3; length <= 300; ++length) {
        std::vector<std::uint8_t> bytes;
        while (bytes.size() != length) bytes.push_back(static_cast<std::uint8_t>(random()));
        ASSERT_NO_THROW(run_on_each_strategy[GetParam()](bytes)) << "program of length " << length;
    }
}

INSTANTIATE_TEST_SUITE_P(of_strategy, ownership,
                         testing::Range(std::size_t{0}, std::size(run_on_each_strategy)));

}  // namespace
}  // namespace freehold::fuzz::ownership_replay_test
