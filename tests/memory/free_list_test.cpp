// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/free_list.hpp>
#include <freehold/memory/free_list_allocator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

// Lists are known by their block size alone, so each test takes a size of its own.
template <class List>
std::vector<void*> take(std::size_t blocks) {
    std::vector<void*> taken;
    for (std::size_t i = 0; i < blocks; ++i) taken.push_back(List::allocate());
    return taken;
}

template <class List>
void give_back(const std::vector<void*>& blocks) {
    for (void* block : blocks) List::deallocate(block);
}

TEST(a_free_list, gives_distinct_aligned_blocks_of_their_full_size) {
    constexpr std::size_t size = 64;
    using list = free_list<size, 32>;
    const std::vector<void*> blocks = take<list>(3 * list::batch + 1);
    unsigned char mark = 0;
    for (void* block : blocks) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 32, 0U);
        std::memset(block, mark++, size);
    }
    mark = 0;
    for (void* block : blocks) {
        const auto* const bytes = static_cast<const unsigned char*>(block);
        EXPECT_EQ(bytes[0], mark);
        EXPECT_EQ(bytes[size - 1], mark);
        ++mark;
    }
    EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
    give_back<list>(blocks);
}

TEST(a_free_list, gives_the_latest_freed_block_first) {
    using list = free_list<80>;
    void* const first = list::allocate();
    void* const second = list::allocate();
    list::deallocate(first);
    list::deallocate(second);
    EXPECT_EQ(list::allocate(), second);
    EXPECT_EQ(list::allocate(), first);
    give_back<list>({first, second});
}

TEST(a_free_list, reuses_all_before_it_grows) {
    using list = free_list<96>;
    const std::size_t many = 10 * list::batch;
    give_back<list>(take<list>(many));
    const std::size_t reserved = list::reserved_blocks();
    EXPECT_EQ(reserved, many);
    for (int round = 0; round < 5; ++round) give_back<list>(take<list>(many));
    EXPECT_EQ(list::reserved_blocks(), reserved);
}

TEST(a_free_list, brings_blocks_back_that_another_thread_frees) {
    using list = free_list<112>;
    const std::size_t many = 4 * list::batch;
    for (int round = 0; round < 20; ++round) {
        const std::vector<void*> blocks = take<list>(many);
        std::thread(give_back<list>, blocks).join();
    }
    // What the freeing thread had in hand went to the depot when it ended.
    EXPECT_LE(list::reserved_blocks(), many + 2 * list::batch);
}

TEST(a_free_list, inherits_from_threads_that_end) {
    using list = free_list<128>;
    for (int round = 0; round < 50; ++round) {
        std::thread([] { give_back<list>(take<list>(list::batch / 3)); }).join();
    }
    EXPECT_LE(list::reserved_blocks(), list::batch);
}

using late_list = free_list<144>;

// Lives in a thread's own storage, and uses the list when that is taken down.
struct late_user {
    ~late_user() {
        late_list::deallocate(kept);
        give_back<late_list>(take<late_list>(3));
    }
    void* kept = nullptr;
};

TEST(a_free_list, serves_thread_local_destructors_that_run_after_it_left) {
    for (int round = 0; round < 20; ++round) {
        std::thread([] {
            // Made before the list's own exit hook, so destroyed after it.
            static thread_local late_user user;
            user.kept = nullptr;
            user.kept = late_list::allocate();
        }).join();
    }
    EXPECT_LE(late_list::reserved_blocks(), late_list::batch);
}

TEST(a_free_list_allocator, serves_standard_containers) {
    std::list<int, free_list_allocator<int>> nodes;
    std::vector<int, free_list_allocator<int>> array;
    for (int i = 0; i < 1000; ++i) {
        nodes.push_back(i);
        array.push_back(i);
    }
    EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), array.begin(), array.end()));
    const auto copy = nodes;
    nodes.clear();
    EXPECT_EQ(copy.size(), array.size());
    EXPECT_TRUE(free_list_allocator<int>() == free_list_allocator<long>());
}

TEST(a_free_list_allocator, aligns_as_its_type_asks) {
    struct alignas(256) wide {
        char byte;
    };
    free_list_allocator<wide> allocator;
    wide* const one = allocator.allocate(1);
    wide* const three = allocator.allocate(3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one) % 256, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(three) % 256, 0U);
    allocator.deallocate(one, 1);
    allocator.deallocate(three, 3);
}

}  // namespace
}  // namespace freehold
