// SPDX-License-Identifier: BSL-1.0
// What block a pool needs for an arc, or for allocate_shared: with blocks of the size and alignment
// that the types name, every object is in the pool; with blocks of a byte less, none is.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace freehold::arc_pools_test {
namespace {

struct packet {
    packet() noexcept {}
    std::uint64_t words[256];
};
struct one_byte {
    char value = 0;
};
struct alignas(64) line {
    char text[100] = {};
};
struct alignas(256) page {
    char text[256] = {};
};
struct base {
    virtual ~base() = default;
    long number = 0;
};
struct alignas(32) aligned_base : base {};

template <class Made>
concept held = requires(const Made& made) { static_cast<bool>(made); };

// Whether what `make` makes in a pool of such blocks is a block of it.
template <class Make>
bool is_in_pool(std::size_t size, std::size_t alignment, Make make) {
    pool_options options;
    options.block_size = size;
    options.alignment = alignment;
    pool blocks(options);
    const held auto made = make(blocks);
    EXPECT_TRUE(static_cast<bool>(made));
    return blocks.statistics().in_use == 1 && blocks.owns(made.get());
}

template <class Make>
void expect_exact(std::size_t size, std::size_t alignment, Make make) {
    EXPECT_TRUE(is_in_pool(size, alignment, make));
    EXPECT_TRUE(is_in_pool(size + 1000, 2 * alignment, make));
    EXPECT_FALSE(is_in_pool(size - 1, alignment, make));
    if (alignment > alignof(std::max_align_t)) {
        EXPECT_FALSE(is_in_pool(size, alignment / 2, make));
    }
}

template <class Type>
class a_pool_for : public testing::Test {};

using types = testing::Types<packet, one_byte, line, page, base, aligned_base>;
TYPED_TEST_SUITE(a_pool_for, types);

template <class T, class Count>
void expect_exact_arc() {
    using handle = arc<T, Count, pool_allocator<T>>;
    expect_exact(handle::block_size(), handle::block_alignment(),
                 [](pool& from) { return allocate_arc<T, Count>(pool_allocator<T>(from)); });
}

TYPED_TEST(a_pool_for, has_room_for_the_block_of_an_arc) {
    expect_exact_arc<TypeParam, local_count>();
    expect_exact_arc<TypeParam, atomic_count>();
    expect_exact_arc<TypeParam, biased_count>();
}

TYPED_TEST(a_pool_for, has_room_for_the_block_of_an_array) {
    using allocator = pool_allocator<TypeParam>;
    if constexpr (!std::is_polymorphic_v<TypeParam>) {
        using handle = arc<TypeParam[], atomic_count, allocator>;
        for (const std::size_t length : {0U, 1U, 5U}) {
            if (length == 0 && handle::block_alignment() > sizeof(long)) continue;
            expect_exact(handle::block_size(length), handle::block_alignment(), [=](pool& from) {
                return allocate_arc<TypeParam[]>(allocator(from), length);
            });
        }
    }
}

TYPED_TEST(a_pool_for, has_room_for_the_block_of_allocate_shared) {
    using allocator = pool_allocator<TypeParam>;
    expect_exact(shared_block_size<TypeParam, allocator>(),
                 shared_block_alignment<TypeParam, allocator>(),
                 [](pool& from) { return allocate_shared<TypeParam>(allocator(from)); });
    expect_exact(
        shared_block_size<TypeParam, allocator>(), shared_block_alignment<TypeParam, allocator>(),
        [](pool& from) { return allocate_shared_for_overwrite<TypeParam>(allocator(from)); });
}

// What the header says of a packet.
TEST(an_arc_of_a_packet, has_its_counts_in_the_first_line) {
    using handle = arc<packet, atomic_count, pool_allocator<packet>>;
    EXPECT_EQ(handle::block_size(), 2072U);
    EXPECT_EQ(handle::block_alignment(), 8U);
    pool_options options;
    options.block_size = handle::block_size();
    pool blocks(options);
    void* const freed = blocks.allocate();
    blocks.deallocate(freed);
    const handle made = allocate_arc_for_overwrite<packet>(pool_allocator<packet>(blocks));
    EXPECT_LE(
        reinterpret_cast<std::uintptr_t>(made.get()) - reinterpret_cast<std::uintptr_t>(freed), 24U)
        << "allocator, counts, packet";
}

}  // namespace
}  // namespace freehold::arc_pools_test
