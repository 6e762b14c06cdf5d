// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/block_slab.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::detail {
namespace {

template <class Slab>
class owned_slab {
public:
    Slab* operator->() const { return slab_; }
    Slab& operator*() const { return *slab_; }

private:
    struct free_memory {
        void operator()(void* memory) const {
            ::operator delete(memory, std::align_val_t(Slab::size));
        }
    };
    std::unique_ptr<void, free_memory> memory_{
        ::operator new(Slab::size, std::align_val_t(Slab::size))};
    Slab* slab_ = Slab::make_in(memory_.get());
};

// The order in which a stack would give them.
template <class Slab>
std::vector<void*> take(Slab& slab, std::size_t wanted) {
    std::vector<void*> taken(wanted);
    const std::size_t count = slab.take(taken.data() + wanted, wanted);
    taken.erase(taken.begin(), taken.end() - static_cast<std::ptrdiff_t>(count));
    std::reverse(taken.begin(), taken.end());
    return taken;
}

template <class Size>
class a_block_slab : public testing::Test {};

template <std::size_t Size>
struct of_size {
    static constexpr std::size_t value = Size;
};
using sizes = testing::Types<of_size<8>, of_size<16>, of_size<24>, of_size<56>, of_size<64>,
                             of_size<1000>, of_size<1024>>;
TYPED_TEST_SUITE(a_block_slab, sizes);

TYPED_TEST(a_block_slab, gives_all_its_blocks_which_touch_neither_each_other_nor_its_header) {
    constexpr std::size_t size = TypeParam::value;
    using slab = block_slab<size>;
    // Several at once, so that headers lie at several places.
    std::array<owned_slab<slab>, 20> slabs;
    for (auto& each : slabs) {
        const std::size_t count = each->free_blocks();
        EXPECT_GE(count * size + sizeof(slab) + 3 * size, slab::size);
        const std::vector<void*> blocks = take(*each, count + 1);
        EXPECT_EQ(blocks.size(), count);
        EXPECT_TRUE(each->is_exhausted());
        EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
        for (void* block : blocks) std::memset(block, 0xff, size);
        for (std::size_t i = 1; i < count; ++i) {
            EXPECT_GE(static_cast<std::byte*>(blocks[i]) - static_cast<std::byte*>(blocks[i - 1]),
                      static_cast<std::ptrdiff_t>(size));
        }
        EXPECT_TRUE(each->is_exhausted());
        for (void* block : blocks) {
            EXPECT_EQ(slab::of(block), &*each);
            each->give(block);
        }
        EXPECT_EQ(each->free_blocks(), count);
    }
}

TYPED_TEST(a_block_slab, sorts_what_comes_back_and_keeps_what_is_lent) {
    using slab = block_slab<TypeParam::value>;
    const owned_slab<slab> owned;
    const std::size_t all = owned->free_blocks();
    std::vector<void*> lent = take(*owned, all);
    std::mt19937 random(7);
    std::vector<void*> free;
    for (int step = 0; step < 200; ++step) {
        std::shuffle(lent.begin(), lent.end(), random);
        for (std::size_t n = random() % (lent.size() + 1); n > 0; --n) {
            owned->give(lent.back());
            free.push_back(lent.back());
            lent.pop_back();
        }
        std::sort(free.begin(), free.end());
        const std::vector<void*> taken = take(*owned, 1 + random() % all);
        ASSERT_LE(taken.size(), free.size());
        ASSERT_TRUE(std::equal(taken.begin(), taken.end(), free.begin()));
        free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(taken.size()));
        lent.insert(lent.end(), taken.begin(), taken.end());
        ASSERT_EQ(owned->is_exhausted(), free.empty());
        ASSERT_EQ(owned->free_blocks(), free.size());
    }
}

}  // namespace
}  // namespace freehold::detail
