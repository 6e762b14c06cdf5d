// SPDX-License-Identifier: BSL-1.0
// What every memory resource of the library promises, as std::pmr's own do.
//
// A subject is default-constructible, has a resource of its own, `memory_resource& resource()`, and
// `void expect_nothing_lent()`, which fails the test if that still misses memory.
#pragma once

#include "contracts/marked_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory_resource>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

struct piece {
    void* memory;
    std::size_t bytes;
    std::size_t alignment;
};

inline piece marked_piece(std::pmr::memory_resource& from, std::size_t bytes,
                          std::size_t alignment) {
    void* const memory = from.allocate(bytes, alignment);
    EXPECT_NE(memory, nullptr);
    EXPECT_TRUE(is_aligned(memory, alignment)) << memory << " for " << alignment;
    mark(memory, bytes);
    return {memory, bytes, alignment};
}

inline void give_back(std::pmr::memory_resource& to, const piece& lent) {
    EXPECT_TRUE(is_marked(lent.memory, lent.bytes)) << lent.bytes << " bytes were written to";
    to.deallocate(lent.memory, lent.bytes, lent.alignment);
}

// Mostly small, now and then of several pages, aligned to anything up to 4096.
inline piece random_piece(std::pmr::memory_resource& from, std::mt19937& random) {
    const std::size_t most = random() % 32 == 0 ? 20'000 : 300;
    const std::size_t alignment = std::size_t{1} << (random() % 8 == 0 ? random() % 13 : 3);
    return marked_piece(from, 1 + random() % most, alignment);
}

template <class Subject>
class memory_resource_contract : public testing::Test {
protected:
    void TearDown() override { subject_.expect_nothing_lent(); }

    [[nodiscard]] std::pmr::memory_resource& resource() { return subject_.resource(); }

private:
    Subject subject_;
};

TYPED_TEST_SUITE_P(memory_resource_contract);

TYPED_TEST_P(memory_resource_contract, aligns_any_size_as_asked) {
    std::vector<piece> pieces;
    for (const std::size_t bytes : {0, 1, 7, 8, 24, 64, 100, 1000, 4096, 10'000, 100'000}) {
        for (std::size_t alignment = 1; alignment <= 65'536; alignment *= 2) {
            pieces.push_back(marked_piece(this->resource(), bytes, alignment));
        }
    }
    for (const piece& each : pieces) give_back(this->resource(), each);
}

TYPED_TEST_P(memory_resource_contract, gives_memory_that_does_not_overlap) {
    std::mt19937 random(1);
    std::vector<piece> pieces;
    for (int i = 0; i < 500; ++i) pieces.push_back(random_piece(this->resource(), random));
    std::map<std::byte*, std::size_t> by_address;
    for (const piece& each : pieces) {
        by_address[static_cast<std::byte*>(each.memory)] = each.bytes;
    }
    ASSERT_EQ(by_address.size(), pieces.size());
    for (auto here = by_address.begin(), next = std::next(here); next != by_address.end();
         ++here, ++next) {
        EXPECT_LE(here->first + here->second, next->first);
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    for (const piece& each : pieces) give_back(this->resource(), each);
}

TYPED_TEST_P(memory_resource_contract, leaves_what_is_lent_alone) {
    std::mt19937 random(2);
    std::vector<piece> lent;
    for (int step = 0; step < 5000; ++step) {
        if (lent.size() < 100 || (lent.size() < 400 && random() % 2 == 0)) {
            lent.push_back(random_piece(this->resource(), random));
        } else {
            std::swap(lent[random() % lent.size()], lent.back());
            give_back(this->resource(), lent.back());
            lent.pop_back();
        }
    }
    for (const piece& each : lent) give_back(this->resource(), each);
}

TYPED_TEST_P(memory_resource_contract, refuses_more_than_there_is_and_goes_on) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const std::size_t bytes : {most / 2, most / 4}) {
        EXPECT_THROW(static_cast<void>(this->resource().allocate(bytes)), std::bad_alloc);
        EXPECT_THROW(static_cast<void>(this->resource().allocate(bytes, 4096)), std::bad_alloc);
    }
    give_back(this->resource(), marked_piece(this->resource(), 100, 8));
}

TYPED_TEST_P(memory_resource_contract, is_equal_to_itself_and_unequal_to_another) {
    TypeParam other;
    EXPECT_TRUE(this->resource().is_equal(this->resource()));
    EXPECT_TRUE(this->resource() == this->resource());
    EXPECT_FALSE(this->resource().is_equal(other.resource()));
    EXPECT_FALSE(this->resource().is_equal(*std::pmr::null_memory_resource()));
}

TYPED_TEST_P(memory_resource_contract, serves_containers_of_containers) {
    using text = std::pmr::string;
    std::pmr::map<text, std::pmr::vector<text>> words(&this->resource());
    std::map<std::string, std::vector<std::string>> model;
    std::mt19937 random(3);
    for (int i = 0; i < 3000; ++i) {
        const std::string key(1 + random() % 40, static_cast<char>('a' + random() % 26));
        const std::string value(random() % 200, 'x');
        if (random() % 4 == 0) {
            words.erase(text(key));
            model.erase(key);
        } else {
            words[text(key)].emplace_back(value);
            model[key].push_back(value);
        }
    }
    ASSERT_EQ(words.size(), model.size());
    for (const auto& [key, values] : model) {
        const auto& found = words.at(text(key));
        EXPECT_EQ(found.get_allocator().resource(), &this->resource());
        ASSERT_TRUE(std::equal(found.begin(), found.end(), values.begin(), values.end(),
                               std::equal_to<std::string_view>()));
    }
}

REGISTER_TYPED_TEST_SUITE_P(memory_resource_contract, aligns_any_size_as_asked,
                            gives_memory_that_does_not_overlap, leaves_what_is_lent_alone,
                            refuses_more_than_there_is_and_goes_on,
                            is_equal_to_itself_and_unequal_to_another,
                            serves_containers_of_containers);

}  // namespace freehold::contracts
