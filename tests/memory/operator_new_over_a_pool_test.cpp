// SPDX-License-Identifier: BSL-1.0
// A program whose operator new takes small memory from a pool: whatever pools allocate for
// themselves, they do it where a pool may be used.
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace {

// In front of each piece: whether it is a block.
struct alignas(16) origin {
    bool is_block;
};
using small_pool = freehold::common_pool<64>;

// Not the pool's own, which it needs before it has any block.
thread_local bool allocates = false;

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads): those with an alignment are as they were
// Not inlined: compilers would take what is seen of them for a mismatch of functions.
[[gnu::noinline]] void* operator new(std::size_t size) {
    const bool is_small = size <= small_pool::block_size - sizeof(origin) && !allocates;
    void* memory = nullptr;
    if (is_small) {
        allocates = true;
        memory = small_pool::allocate();
        allocates = false;
    } else {
        memory = std::malloc(size + sizeof(origin));
        if (memory == nullptr) throw std::bad_alloc();
    }
    return ::new (memory) origin{is_small} + 1;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    if (memory == nullptr) return;
    origin* const from = static_cast<origin*>(memory) - 1;
    if (from->is_block) {
        small_pool::deallocate(from);
    } else {
        std::free(from);
    }
}
void operator delete(void* memory, std::size_t) noexcept {
    operator delete(memory);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    operator delete(memory);
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
    return operator new(size, nothrow);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    operator delete(memory);
}
void operator delete[](void* memory) noexcept {
    operator delete(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    operator delete(memory);
}
// NOLINTEND(misc-new-delete-overloads)

namespace freehold {
namespace {

using contracts::give_back;
using contracts::take;

// Each on a thread that has not used the pool behind operator new yet.
TEST(operator_new_over_a_pool, serves_the_pools_that_a_new_thread_makes) {
    for (int round = 0; round < 10; ++round) {
        std::thread([] {
            std::vector<std::unique_ptr<pool>> pools;
            for (std::size_t i = 0; i < 200; ++i) {
                pools.push_back(std::make_unique<pool>(pool_options{.block_size = 16 + i}));
                give_back(*pools.back(), take(*pools.back(), 3));
            }
            pools.resize(100);
            for (const std::unique_ptr<pool>& each : pools) give_back(*each, take(*each, 3));
        }).join();
    }
}

TEST(operator_new_over_a_pool, serves_a_thread_whose_first_small_memory_is_a_pool_s_own) {
    auto made = std::make_unique<pool>(pool_options{.block_size = 100});
    std::thread([&] { give_back(*made, take(*made, 3)); }).join();
    std::thread([&] { made.reset(); }).join();
}

}  // namespace
}  // namespace freehold
