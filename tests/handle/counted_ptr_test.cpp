// SPDX-License-Identifier: BSL-1.0
// What counted_ptr promises beyond the contract of all owning handles.
#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

#include <gtest/gtest.h>

namespace freehold::counted_ptr_test {
namespace {

template <class T>
using pooled = counted_ptr<T, atomic_count, common_pool_allocator<std::byte>>;

static_assert(sizeof(counted_ptr<int>) == 2 * sizeof(void*));
static_assert(sizeof(pooled<int>) == 2 * sizeof(void*));

struct plain_base {
    int value = 0;
};
struct plain_derived : plain_base {
    explicit plain_derived(int& deaths_) : deaths(deaths_) {}
    ~plain_derived() { ++deaths; }
    int& deaths;
};

TEST(a_counted_ptr, deletes_as_the_type_that_it_acquired) {
    int deaths = 0;
    { const counted_ptr<plain_base> base(new plain_derived(deaths)); }
    EXPECT_EQ(deaths, 1);
    {
        counted_ptr<void> erased;
        erased = counted_ptr<plain_derived>(new plain_derived(deaths));
        const counted_ptr<const void> view(erased);
        EXPECT_EQ(view.use_count(), 2);
        EXPECT_EQ(deaths, 1);
    }
    EXPECT_EQ(deaths, 2);
}

TEST(a_counted_ptr, takes_any_callable_as_deleter) {
    int object = 0, calls = 0;
    {
        counted_ptr<int> first(&object, [&calls](int* doomed) { calls += *doomed + 1; });
        const counted_ptr<int> second(first);
        const auto seven = std::make_shared<int>(7);
        first = counted_ptr<int>(&object, [&calls, seven](int*) { calls += *seven; });
        EXPECT_EQ(calls, 0);
    }
    EXPECT_EQ(calls, 8);
    static int function_calls = 0;
    {
        const pooled<int> by_function(
            &object, +[](int*) { ++function_calls; });
    }
    EXPECT_EQ(function_calls, 1);
}

// Counts its blocks in an account, and so has state.
template <class T>
struct accounting_allocator {
    using value_type = T;
    explicit accounting_allocator(long& blocks_) : blocks(&blocks_) {}
    template <class U>
    accounting_allocator(const accounting_allocator<U>& other) : blocks(other.blocks) {}
    T* allocate(std::size_t n) {
        ++*blocks;
        return std::allocator<T>().allocate(n);
    }
    void deallocate(T* place, std::size_t n) {
        --*blocks;
        std::allocator<T>().deallocate(place, n);
    }
    bool operator==(const accounting_allocator& other) const { return blocks == other.blocks; }
    long* blocks;
};

TEST(a_counted_ptr, takes_its_block_from_the_allocator_and_gives_it_back_there) {
    long blocks = 0;
    using handle = counted_ptr<int, local_count, accounting_allocator<std::byte>>;
    static_assert(sizeof(handle) == 2 * sizeof(void*));
    const accounting_allocator<std::byte> allocator(blocks);
    {
        const handle owner(new int(3), allocator);
        const handle copy(owner);
        EXPECT_EQ(blocks, 1);
        const handle null(static_cast<int*>(nullptr), allocator);
        EXPECT_EQ(blocks, 1);
        const handle deleted(new int(4), std::default_delete<int>(), allocator);
        EXPECT_EQ(blocks, 2);
    }
    EXPECT_EQ(blocks, 0);
}

}  // namespace
}  // namespace freehold::counted_ptr_test
