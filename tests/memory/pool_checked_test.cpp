// SPDX-License-Identifier: BSL-1.0
// What a checked pool finds: each error ends the program with a message that names the pool.
#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"
#include "death_tests.hpp"
#include "skip.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory_resource>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_checked_test {
namespace {

using contracts::give_back;
using contracts::take;

// Out of line, so that a compiler does not see that the memory is written to after its free.
[[gnu::noinline]] void write(void* place, std::size_t offset) {
    static_cast<volatile unsigned char*>(place)[offset] = 1;
}

pool_options named(const char* name, bool checked = true) {
    pool_options asked;
    asked.block_size = 40;
    asked.alignment = 8;
    asked.initial_capacity = 64;
    asked.magazine_size = 8;
    asked.checked = checked;
    asked.name = name;
    return asked;
}

class a_checked_pool : public testing::Test {
protected:
    a_checked_pool() { tests::run_death_tests_in_new_processes(); }

    // What the sanitizer says comes first where it sees more than the pool.
    static const char* or_by_the_sanitizer(const char* message) {
        return detail::under_address_sanitizer ? "use-after-poison" : message;
    }

    pool pool_{named("watched")};
};

TEST_F(a_checked_pool, finds_a_block_that_is_freed_twice) {
    void* const block = pool_.allocate();
    pool_.deallocate(block);
    EXPECT_DEATH(pool_.deallocate(block),
                 "freehold: pool 'watched': block 0x[0-9a-f]+ was freed although it is free");
}

TEST_F(a_checked_pool, finds_a_block_that_is_freed_twice_in_one_bulk) {
    std::vector<void*> blocks = take(pool_, 5);
    const auto free_one_twice = [&] {
        blocks[3] = blocks[1];
        pool_.deallocate_bulk(blocks);
    };
    EXPECT_DEATH(free_one_twice(), "pool 'watched': block .* was freed although it is free");
    give_back(pool_, blocks);
}

TEST_F(a_checked_pool, finds_a_block_that_was_never_allocated) {
    auto* const block = static_cast<std::byte*>(pool_.allocate());
    EXPECT_DEATH(pool_.deallocate(block + pool_.stride()), "was freed although it is free");
    pool_.deallocate(block);
}

TEST_F(a_checked_pool, finds_what_is_no_block_of_its_own) {
    const char* const message =
        "freehold: pool 'watched': 0x[0-9a-f]+ was freed, which is no block of this pool";
    std::array<std::byte, 100> elsewhere{};
    EXPECT_DEATH(pool_.deallocate(elsewhere.data()), message);

    pool other(named("other"));
    void* const stranger = other.allocate();
    EXPECT_DEATH(pool_.deallocate(stranger), message);
    other.deallocate(stranger);

    auto* const block = static_cast<std::byte*>(pool_.allocate());
    EXPECT_DEATH(pool_.deallocate(block + 8), message);
    pool_.deallocate(block);

    EXPECT_DEATH(pool_.deallocate(nullptr), "'watched': .* is no block of this pool");
}

TEST_F(a_checked_pool, finds_what_was_written_behind_a_block) {
    for (const std::size_t beyond : {std::size_t{0}, std::size_t{7}, std::size_t{23}}) {
        void* const block = pool_.allocate();
        const auto overrun = [&] {
            write(block, pool_.block_size() + beyond);
            pool_.deallocate(block);
        };
        EXPECT_DEATH(overrun(),
                     "freehold: pool 'watched': what stands behind block 0x[0-9a-f]+ was written "
                     "to|use-after-poison");
        pool_.deallocate(block);
    }
}

TEST_F(a_checked_pool, finds_what_was_written_in_front_of_a_block) {
    std::vector<void*> blocks = take(pool_, 2);
    auto* const second = static_cast<std::byte*>(blocks[1]);
    ASSERT_EQ(second - static_cast<std::byte*>(blocks[0]), pool_.stride());
    for (const std::ptrdiff_t before : {1, 9, 50}) {
        const auto underrun = [&] {
            write(second - before, 0);
            pool_.deallocate(second);
        };
        EXPECT_DEATH(underrun(),
                     "freehold: pool 'watched': what stands in front of block 0x[0-9a-f]+ was "
                     "written to|use-after-poison");
    }
    give_back(pool_, blocks);
}

TEST_F(a_checked_pool, finds_what_was_written_to_a_block_before_it_was_ever_allocated) {
    auto* const block = static_cast<std::byte*>(pool_.allocate());
    for (const std::size_t offset : {std::size_t{0}, std::size_t{39}}) {
        const auto use_before = [&] {
            write(block + pool_.stride(), offset);
            static_cast<void>(pool_.allocate());
        };
        EXPECT_DEATH(
            use_before(),
            or_by_the_sanitizer(
                "freehold: pool 'watched': block 0x[0-9a-f]+ was written to while it was free"));
    }
    pool_.deallocate(block);
}

TEST_F(a_checked_pool, finds_what_was_written_to_a_free_block) {
    for (const std::size_t offset : {std::size_t{0}, std::size_t{20}, std::size_t{39}}) {
        void* const block = pool_.allocate();
        const auto use_after_free = [&] {
            pool_.deallocate(block);
            write(block, offset);
            const std::vector<void*> all = take(pool_, pool_.statistics().capacity);
            give_back(pool_, all);
        };
        EXPECT_DEATH(
            use_after_free(),
            or_by_the_sanitizer(
                "freehold: pool 'watched': block 0x[0-9a-f]+ was written to while it was free"));
        pool_.deallocate(block);
    }
}

// A value that was never set, or was freed, is told from others by its look.
TEST_F(a_checked_pool, fills_blocks_with_what_nobody_takes_for_data) {
    auto* const block = static_cast<unsigned char*>(pool_.allocate());
    for (std::size_t i = 0; i < pool_.block_size(); ++i) ASSERT_EQ(block[i], 0xCD);
    std::memset(block, 0, pool_.block_size());
    pool_.deallocate(block);
    void* const again = pool_.allocate();
    EXPECT_EQ(*static_cast<unsigned char*>(again), 0xCD);
    pool_.deallocate(again);
}

TEST_F(a_checked_pool, finds_nothing_where_nothing_is_wrong) {
    give_back(pool_, contracts::use_at_random(pool_, 1, 2000, 200));
    contracts::expect_conserved(pool_, 0);
}

std::string said_at_the_end_of_a_pool(const pool_options& options, std::size_t blocks_kept) {
    testing::internal::CaptureStderr();
    {
        pool tested(options);
        std::vector<void*> blocks = take(tested, 20);
        blocks.resize(20 - blocks_kept);
        give_back(tested, blocks);
    }
    return testing::internal::GetCapturedStderr();
}

TEST(a_pool_that_is_destroyed, says_how_many_blocks_are_out) {
    EXPECT_EQ(said_at_the_end_of_a_pool(named("leaky", false), 3),
              "freehold: pool 'leaky' is destroyed while 3 of its 64 blocks are in use\n");
    EXPECT_EQ(said_at_the_end_of_a_pool(named("tight", false), 0), "");
    EXPECT_EQ(said_at_the_end_of_a_pool(named("tight", true), 0), "");
}

TEST(a_pool_that_is_destroyed, says_which_blocks_are_out_if_it_is_checked) {
    testing::internal::CaptureStderr();
    std::vector<void*> blocks;
    {
        pool tested(named("leaky"));
        blocks = take(tested, 2);
    }
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("freehold: pool 'leaky' is destroyed while 2 of its 64 blocks are in use"),
              std::string::npos);
    for (const void* block : blocks) {
        std::array<char, 100> line;
        std::snprintf(line.data(), line.size(), "freehold: pool 'leaky': block %p is in use\n",
                      block);
        EXPECT_NE(said.find(line.data()), std::string::npos) << said;
    }
}

TEST(a_pool_in_memory_of_another, takes_nothing_for_its_own_that_the_other_left) {
    std::vector<std::byte> memory(64 << 10);
    const auto use_and_scribble = [&] {
        std::pmr::monotonic_buffer_resource upstream(memory.data(), memory.size(),
                                                     std::pmr::null_memory_resource());
        pool_options asked = named("heir");
        asked.upstream = &upstream;
        pool tested(asked);
        std::vector<void*> blocks = take(tested, 64);
        give_back(tested, blocks);
        return blocks;
    };
    for (void* const block : use_and_scribble()) write(block, 0);
    static_cast<void>(use_and_scribble());
}

// Without checks an error is found where a lock is taken anyway: when blocks return to the depot.
TEST(a_pool_without_checks, finds_double_and_foreign_frees_when_blocks_leave_the_thread) {
    tests::run_death_tests_in_new_processes();
    pool tested(named("fast", false));
    void* const block = tested.allocate();
    const auto free_twice = [&] {
        tested.deallocate(block);
        tested.deallocate(block);
        tested.release_thread_cache();
    };
    EXPECT_DEATH(free_twice(), "pool 'fast': block .* was freed although it is free");
    pool other(named("other", false));
    void* const stranger = other.allocate();
    const auto free_a_stranger = [&] {
        tested.deallocate(stranger);
        tested.release_thread_cache();
    };
    EXPECT_DEATH(free_a_stranger(), "pool 'fast': .* is no block of this pool");
    other.deallocate(stranger);
    tested.deallocate(block);
}

TEST(a_pool_under_the_address_sanitizer, has_it_find_accesses_to_free_blocks) {
    if (!detail::under_address_sanitizer)
        return tests::does_not_apply("this build has no address sanitizer");
    tests::run_death_tests_in_new_processes();
    pool tested(named("poisoned", false));
    auto* const first = static_cast<std::byte*>(tested.allocate());
    EXPECT_DEATH(write(first + tested.stride(), 0), "use-after-poison");  // allocated by nobody yet
    tested.deallocate(first);
    std::vector<void*> blocks = take(tested, 64);
    const std::vector<void*> freed(blocks.begin(), blocks.begin() + 32);
    tested.deallocate_bulk(std::vector<void*>(blocks.begin(), blocks.begin() + 16));
    for (std::size_t i = 16; i < 32; ++i) tested.deallocate(blocks[i]);
    for (const void* block : {freed.front(), freed[15], freed[16], freed.back()}) {
        EXPECT_DEATH(write(const_cast<void*>(block), 0), "use-after-poison");
        EXPECT_DEATH(write(const_cast<void*>(block), 39), "use-after-poison");
    }
    // Those in use may be written to, and again those that are allocated anew.
    for (std::size_t i = 32; i < 64; ++i) std::memset(blocks[i], 1, tested.block_size());
    for (std::size_t i = 0; i < 32; ++i) std::memset(blocks[i] = tested.allocate(), 1, 40);
    give_back(tested, blocks);
}

TEST(a_pool_under_the_address_sanitizer, leaves_nothing_poisoned_behind) {
    std::array<std::byte, 4096> buffer;
    for (int round = 0; round < 2; ++round) {
        std::pmr::monotonic_buffer_resource upstream(buffer.data(), buffer.size(),
                                                     std::pmr::null_memory_resource());
        pool_options asked = named("passing", round == 1);
        asked.initial_capacity = 10;
        asked.upstream = &upstream;
        pool tested(asked);
        give_back(tested, take(tested, 10));
    }
    std::memset(buffer.data(), 1, buffer.size());
    EXPECT_EQ(buffer.back(), std::byte{1});
}

}  // namespace
}  // namespace freehold::pool_checked_test
