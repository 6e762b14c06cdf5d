// SPDX-License-Identifier: BSL-1.0
// Handles with atomic counts, copied, handed over and released by several threads at once. What
// they promise is that each object is destroyed once, after all that its owners did to it; the
// thread sanitizer's preset checks the second half.
#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::owners_on_many_threads_test {
namespace {

constexpr int threads = 4;

struct unchained {};

std::atomic<long> alive{0};

// Each owner on thread t writes only to its own slot, without atomics; the destructor reads all.
template <class Base>
struct shared_object : Base {
    shared_object() { alive.fetch_add(1, std::memory_order_relaxed); }
    ~shared_object() {
        long sum = 0;
        for (const long visits : visits_of) sum += visits;
        total.fetch_add(sum, std::memory_order_relaxed);
        alive.fetch_sub(1, std::memory_order_relaxed);
    }
    shared_object(const shared_object&) = delete;
    shared_object& operator=(const shared_object&) = delete;

    std::array<long, threads> visits_of{};
    static inline std::atomic<long> total{0};
};

struct intrusive_object : shared_object<intrusive_base<intrusive_object, atomic_count>> {};
struct plain_object : shared_object<unchained> {};

template <class Handle>
class owners_on_many_threads : public testing::Test {
protected:
    void SetUp() override { Handle::element_type::total = 0; }
    void TearDown() override { EXPECT_EQ(alive.load(), 0); }

    template <class Work>
    static void on_each_thread(Work work) {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(work, t);
        for (std::thread& thread : workers) thread.join();
    }
};

using handles =
    testing::Types<counted_ptr<plain_object, atomic_count>,
                   counted_ptr<plain_object, atomic_count, common_pool_allocator<std::byte>>,
                   intrusive_ptr<intrusive_object>, shared_ptr<plain_object>,
                   biased_shared_ptr<plain_object>>;
TYPED_TEST_SUITE(owners_on_many_threads, handles);

TYPED_TEST(owners_on_many_threads, copy_and_release_one_object) {
    using object = typename TypeParam::element_type;
    constexpr int rounds = 20'000;
    {
        TypeParam original(new object);
        this->on_each_thread([copy = original](std::size_t self) {
            for (int i = 0; i < rounds; ++i) {
                TypeParam another(copy);
                TypeParam assigned;
                assigned = another;
                ++assigned->visits_of[self];
            }
        });
        EXPECT_TRUE(original.unique());
    }
    EXPECT_EQ(object::total, threads * rounds);
}

// The last owner is whichever thread happens to be last: the destruction must see all the writes.
TYPED_TEST(owners_on_many_threads, race_to_be_the_last) {
    using object = typename TypeParam::element_type;
    constexpr int objects = 2'000;
    std::vector<TypeParam> originals;
    for (int i = 0; i < objects; ++i) originals.emplace_back(new object);
    std::array<std::vector<TypeParam>, threads> shares;
    shares.fill(originals);
    originals.clear();
    this->on_each_thread([&shares](std::size_t self) {
        for (TypeParam& share : shares[self]) {
            ++share->visits_of[self];
            share.reset();
        }
    });
    EXPECT_EQ(object::total, threads * objects);
}

// Objects made on one thread, their counts' blocks too, die on another; threads come and go.
TYPED_TEST(owners_on_many_threads, hand_objects_over) {
    using object = typename TypeParam::element_type;
    constexpr int generations = 10, objects = 300;
    std::mutex mutex;
    std::vector<TypeParam> shelf;
    for (int generation = 0; generation < generations; ++generation) {
        this->on_each_thread([&](std::size_t self) {
            std::mt19937 random(static_cast<unsigned>(generation * threads) +
                                static_cast<unsigned>(self));
            for (int i = 0; i < objects; ++i) {
                TypeParam made(new object);
                ++made->visits_of[self];
                const std::lock_guard lock(mutex);
                if (shelf.size() < 50) {
                    shelf.push_back(std::move(made));
                } else {
                    swap(shelf[random() % shelf.size()], made);
                    ++made->visits_of[self];
                }
            }
        });
    }
    const auto left = static_cast<long>(shelf.size());
    EXPECT_EQ(alive.load(), left);
    shelf.clear();
    constexpr long made = long{generations} * threads * objects;
    EXPECT_EQ(object::total, made + (made - left));
}

// A thread that keeps handles in its own storage releases them while it is taken down, which may be
// after the cache of counts' blocks has left that thread.
TYPED_TEST(owners_on_many_threads, release_while_their_thread_ends) {
    using object = typename TypeParam::element_type;
    for (int round = 0; round < 20; ++round) {
        const TypeParam original(new object);
        this->on_each_thread([original](std::size_t self) {
            static thread_local std::vector<TypeParam> kept;
            kept.assign(10, original);
            kept.emplace_back(new object);
            ++kept.back()->visits_of[self];
        });
        EXPECT_TRUE(original.unique());
    }
    EXPECT_EQ(object::total, 20 * threads);
}

}  // namespace
}  // namespace freehold::owners_on_many_threads_test
