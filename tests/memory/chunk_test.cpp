// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/detail/chunk.hpp>
#include <freehold/memory/detail/chunk_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::detail::chunk_test {
namespace {

// A chunk whose memory nobody touches: it may be anywhere.
class owned_chunk {
public:
    owned_chunk(std::size_t blocks, std::size_t stride, std::size_t address = 4096)
        : place_(::operator new(chunk::size_for(blocks))),
          chunk_(chunk::make_in(place_.get(), reinterpret_cast<std::byte*>(address), stride, blocks,
                                false)) {}
    chunk* operator->() const { return chunk_; }
    chunk* get() const { return chunk_; }

private:
    struct free_place {
        void operator()(void* place) const { ::operator delete(place); }
    };
    std::unique_ptr<void, free_place> place_;
    chunk* chunk_;
};

// The order in which a stack would give them.
std::vector<void*> take(const owned_chunk& from, std::size_t wanted) {
    std::vector<void*> taken(wanted);
    const std::size_t count = from->take(taken.data() + wanted, wanted);
    taken.erase(taken.begin(), taken.end() - static_cast<std::ptrdiff_t>(count));
    std::reverse(taken.begin(), taken.end());
    return taken;
}

TEST(a_chunk, gives_all_its_blocks_in_the_order_of_their_addresses) {
    for (const std::size_t blocks : {1, 2, 63, 64, 65, 128, 1000}) {
        const owned_chunk owned(blocks, 48);
        EXPECT_EQ(owned->free_blocks(), blocks);
        const std::vector<void*> taken = take(owned, blocks + 1);
        ASSERT_EQ(taken.size(), blocks);
        for (std::size_t i = 0; i < blocks; ++i) EXPECT_EQ(taken[i], owned->begin() + 48 * i);
        EXPECT_EQ(owned->free_blocks(), 0U);
        EXPECT_TRUE(take(owned, 1).empty());
    }
}

TEST(a_chunk, knows_what_is_no_block_and_what_is_free_already) {
    const owned_chunk owned(100, 48);
    const std::vector<void*> taken = take(owned, 50);
    std::byte* const first = owned->begin();
    EXPECT_EQ(owned->give(first + 1), chunk::answer::no_block);
    EXPECT_EQ(owned->give(first + 48 * 100), chunk::answer::no_block);
    EXPECT_EQ(owned->give(first + 48 * 50), chunk::answer::was_free);
    EXPECT_EQ(owned->give(first), chunk::answer::taken_back);
    EXPECT_EQ(owned->give(first), chunk::answer::was_free);
    EXPECT_EQ(owned->free_blocks(), 51U);
    EXPECT_TRUE(owned->is_free(0));
    EXPECT_FALSE(owned->is_free(1));
}

TEST(a_chunk, sorts_what_comes_back_and_keeps_what_is_lent) {
    constexpr std::size_t all = 300;
    const owned_chunk owned(all, 64);
    std::vector<void*> lent = take(owned, all);
    std::mt19937 random(7);
    std::vector<void*> free;
    for (int step = 0; step < 200; ++step) {
        std::shuffle(lent.begin(), lent.end(), random);
        for (std::size_t n = random() % (lent.size() + 1); n > 0; --n) {
            ASSERT_EQ(owned->give(lent.back()), chunk::answer::taken_back);
            free.push_back(lent.back());
            lent.pop_back();
        }
        std::sort(free.begin(), free.end());
        const std::vector<void*> taken = take(owned, 1 + random() % all);
        ASSERT_LE(taken.size(), free.size());
        ASSERT_TRUE(std::equal(taken.begin(), taken.end(), free.begin()));
        free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(taken.size()));
        lent.insert(lent.end(), taken.begin(), taken.end());
        ASSERT_EQ(owned->free_blocks(), free.size());
    }
}

TEST(a_chunk, asks_for_each_page_once_and_ahead) {
    const owned_chunk owned(10, 100);
    owned->skip_pages(150);
    EXPECT_EQ(owned->claim_pages(owned->begin(), 300).size, 0U);
    const chunk::range second = owned->claim_pages(owned->begin() + 100, 300);
    EXPECT_EQ(second.begin, owned->begin() + 150);
    EXPECT_EQ(second.size, 300U);
    EXPECT_EQ(owned->claim_pages(owned->begin() + 300, 300).size, 0U);
    const chunk::range rest = owned->claim_pages(owned->begin() + 900, 300);
    EXPECT_EQ(rest.begin, owned->begin() + 450);
    EXPECT_EQ(rest.size, 550U);
}

class owned_map {
public:
    ~owned_map() { std::free(map_.memory()); }
    chunk_map* operator->() { return &map_; }
    void make_room_for(std::size_t size) {
        if (const std::size_t room = map_.room_wanted_for(size)) {
            std::free(map_.move_to(std::malloc(chunk_map::memory_for(room)), room));
        }
        EXPECT_EQ(map_.room_wanted_for(size), 0U);
    }

private:
    chunk_map map_;
};

// Some share a granule with others, some have several.
TEST(a_chunk_map, finds_the_chunk_of_each_place_and_of_no_other) {
    constexpr std::size_t stride = 32;
    std::vector<owned_chunk> chunks;
    std::size_t address = 4096;
    for (std::size_t blocks = 1; blocks < 20'000; blocks = blocks * 3 / 2 + 1) {
        for (int i = 0; i < 4; ++i) {
            chunks.emplace_back(blocks, stride, address);
            address += (blocks + 7) * stride;
        }
    }
    std::vector<std::size_t> order(chunks.size());  // NOLINT(freehold-hidden-zeroing): a test
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::mt19937 random(5);
    owned_map map;
    EXPECT_EQ(map->of(chunks[0]->begin()), nullptr);
    std::vector<bool> is_in(chunks.size(), false);
    for (int round = 0; round < 5; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order) {
            if (random() % 2 == 0) continue;
            if (is_in[i]) {
                map->remove(chunks[i].get());
            } else {
                map.make_room_for(chunks[i]->blocks() * stride);
                map->add(chunks[i].get());
            }
            is_in[i] = !is_in[i];
        }
        std::size_t visited = 0;
        map->for_each_chunk([&](const chunk&) { ++visited; });
        EXPECT_EQ(visited, static_cast<std::size_t>(std::count(is_in.begin(), is_in.end(), true)));
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            chunk* const here = is_in[i] ? chunks[i].get() : nullptr;
            EXPECT_EQ(map->of(chunks[i]->begin()), here);
            EXPECT_EQ(map->of(chunks[i]->end() - 1), here);
            EXPECT_EQ(map->of(chunks[i]->end()), nullptr);
            EXPECT_EQ(map->of(chunks[i]->begin() - 1), nullptr);
        }
    }
}

}  // namespace
}  // namespace freehold::detail::chunk_test
