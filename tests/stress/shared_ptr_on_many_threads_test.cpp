// SPDX-License-Identifier: BSL-1.0
// weak_ptr, deleters and std::atomic<shared_ptr> on several threads at once. The thread sanitizer's
// preset checks that whatever an owner did happens before the object's destruction.
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

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

namespace freehold::shared_ptr_on_many_threads_test {
namespace {

constexpr std::size_t threads = 4;

// Each thread writes to its own slot without atomics; the destructor reads them all.
template <class Count>
struct visited : enable_shared_from_this<visited<Count>, Count> {
    static inline std::atomic<long> alive{0}, visits{0};
    visited() { alive.fetch_add(1, std::memory_order_relaxed); }
    visited(const visited&) = delete;
    visited& operator=(const visited&) = delete;
    ~visited() {
        for (const long count : visits_of) visits.fetch_add(count, std::memory_order_relaxed);
        visits_of.fill(-1);
        alive.fetch_sub(1, std::memory_order_relaxed);
    }
    std::array<long, threads> visits_of{};
};

template <class Count>
using strong_ptr = shared_ptr<visited<Count>, Count>;

template <class Count>
class shared_ptr_on_many_threads : public testing::Test {
protected:
    void SetUp() override { visited<Count>::visits = 0; }
    void TearDown() override { EXPECT_EQ(visited<Count>::alive.load(), 0); }

    template <class Work>
    static void on_each_thread(Work work) {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(work, t);
        for (std::thread& thread : workers) thread.join();
    }
};

using counts = testing::Types<atomic_count, biased_count, sharded_count>;
TYPED_TEST_SUITE(shared_ptr_on_many_threads, counts);

// A lock gives either an owner that keeps the object alive, or nothing, and then never again.
TYPED_TEST(shared_ptr_on_many_threads, lock_while_the_last_owner_lets_go) {
    using object = visited<TypeParam>;
    constexpr std::size_t objects = 3'000;
    std::vector<strong_ptr<TypeParam>> owners;
    std::vector<weak_ptr<object, TypeParam>> observers;
    for (std::size_t i = 0; i < objects; ++i) {
        owners.push_back(i % 2 == 0 ? make_shared<object, TypeParam>()
                                    : strong_ptr<TypeParam>(new object));
        observers.push_back(owners.back());
    }
    std::atomic<long> found{0};
    std::atomic<std::size_t> ready{0};
    this->on_each_thread([&](std::size_t self) {
        ready.fetch_add(1);
        while (ready.load() < threads) std::this_thread::yield();
        for (std::size_t i = 0; i < objects; ++i) {
            if (self == 0) {
                ++owners[i]->visits_of[self];
                owners[i].reset();
                continue;
            }
            while (const auto locked = observers[i].lock()) {
                ++locked->visits_of[self];
                found.fetch_add(1, std::memory_order_relaxed);
                EXPECT_EQ(locked->shared_from_this(), locked);
            }
            EXPECT_TRUE(observers[i].expired());
            EXPECT_EQ(observers[i].lock(), nullptr);
        }
    });
    EXPECT_EQ(object::alive.load(), 0);
    EXPECT_EQ(object::visits.load(), static_cast<long>(objects) + found.load());
}

// The last thing known of an object, its memory too, may go on any thread, weak or strong.
TYPED_TEST(shared_ptr_on_many_threads, let_go_of_weak_and_strong_in_any_order) {
    using object = visited<TypeParam>;
    constexpr std::size_t objects = 2'000;
    for (int generation = 0; generation < 3; ++generation) {
        std::array<std::vector<strong_ptr<TypeParam>>, threads> owners;
        std::array<std::vector<weak_ptr<object, TypeParam>>, threads> observers;
        for (std::size_t i = 0; i < objects; ++i) {
            const auto made = make_shared<object, TypeParam>();
            for (std::size_t t = 0; t < threads; ++t) {
                owners[t].push_back(made);
                observers[t].push_back(made);
            }
        }
        this->on_each_thread([&](std::size_t self) {
            std::mt19937 random(static_cast<unsigned>(self));
            for (std::size_t i = 0; i < objects; ++i) {
                if (random() % 2 == 0) observers[self][i].reset();
                owners[self][i].reset();
                observers[self][i].reset();
            }
        });
        ASSERT_EQ(object::alive.load(), 0);
    }
}

// A deleter with a state, written where the object was made and read wherever it is released.
TYPED_TEST(shared_ptr_on_many_threads, call_deleters_that_came_from_another_thread) {
    constexpr int objects = 2'000;
    std::mutex mutex;
    std::vector<shared_ptr<void, TypeParam>> shelf;
    std::atomic<long> sum{0};
    this->on_each_thread([&](std::size_t self) {
        for (int i = 0; i < objects; ++i) {
            auto* const raw = new long(i);
            auto deleter = [&sum, extra = std::make_unique<long>(self)](long* doomed) {
                sum.fetch_add(*doomed + *extra, std::memory_order_relaxed);
                delete doomed;
            };
            shared_ptr<void, TypeParam> made(raw, std::move(deleter));
            const std::lock_guard lock(mutex);
            shelf.push_back(std::move(made));
            if (shelf.size() > 20) {
                std::swap(shelf.front(), shelf.back());
                shelf.pop_back();
            }
        }
    });
    shelf.clear();
    constexpr long of_objects = threads * (objects * (objects - 1L) / 2);
    constexpr long of_deleters = objects * (threads * (threads - 1L) / 2);
    EXPECT_EQ(sum.load(), of_objects + of_deleters);
}

TYPED_TEST(shared_ptr_on_many_threads, read_and_replace_an_atomic_one) {
    using object = visited<TypeParam>;
    using strong = strong_ptr<TypeParam>;
    constexpr int rounds = 4'000;
    std::atomic<long> visits{0};
    {
        std::atomic<strong> place(make_shared<object, TypeParam>());
        std::atomic<weak_ptr<object, TypeParam>> observer(place.load());
        this->on_each_thread([&](std::size_t self) {
            std::mt19937 random(static_cast<unsigned>(self));
            for (int i = 0; i < rounds; ++i) {
                switch (random() % 5) {
                    case 0:
                        place.store(make_shared<object, TypeParam>());
                        break;
                    case 1:
                        observer = place.exchange(make_shared<object, TypeParam>());
                        break;
                    case 2: {
                        strong expected = place.load();
                        const strong desired = make_shared<object, TypeParam>();
                        while (!place.compare_exchange_weak(expected, desired)) {
                        }
                        EXPECT_NE(expected, desired);
                        break;
                    }
                    case 3:
                        if (const strong locked = observer.load().lock()) {
                            ++locked->visits_of[self];
                            visits.fetch_add(1, std::memory_order_relaxed);
                        }
                        break;
                    default:
                        ++place.load()->visits_of[self];
                        visits.fetch_add(1, std::memory_order_relaxed);
                }
            }
        });
        EXPECT_EQ(object::alive.load(), 1);
        EXPECT_TRUE(place.load().use_count() == 2);
    }
    EXPECT_EQ(object::visits.load(), visits.load());
}

// Two threads in turn, each waiting until the other has stored; both wake up each time.
TYPED_TEST(shared_ptr_on_many_threads, wait_for_each_other) {
    using place_of_int = std::atomic<shared_ptr<int, TypeParam>>;
    constexpr int rounds = 2'000;
    place_of_int ball;
    const auto play = [&ball](bool serves) {
        shared_ptr<int, TypeParam> seen;
        for (int i = serves ? 0 : 1; i < rounds; i += 2) {
            if (i > 0) {
                ball.wait(seen);
                seen = ball.load();
                EXPECT_EQ(*seen, i - 1);
            }
            seen = make_shared<int, TypeParam>(i);
            ball.store(seen);
            ball.notify_one();
        }
    };
    std::thread opponent(play, false);
    play(true);
    opponent.join();
    EXPECT_EQ(*ball.load(), rounds - 1);
}

// What the deprecated functions promise of handles that are no std::atomic.
TYPED_TEST(shared_ptr_on_many_threads, use_one_handle_by_atomic_functions) {
    using object = visited<TypeParam>;
    constexpr int rounds = 2'000;
    {
        strong_ptr<TypeParam> place = make_shared<object, TypeParam>();
        this->on_each_thread([&](std::size_t self) {
            for (int i = 0; i < rounds; ++i) {
                ++freehold::atomic_load(&place)->visits_of[self];
                if (i % 4 == 0) {
                    auto expected = freehold::atomic_load(&place);
                    freehold::atomic_compare_exchange_strong(&place, &expected,
                                                             make_shared<object, TypeParam>());
                } else if (i % 4 == 1) {
                    freehold::atomic_store(&place, make_shared<object, TypeParam>());
                }
            }
        });
    }
    EXPECT_EQ(object::visits.load(), static_cast<long>(threads) * rounds);
}

}  // namespace
}  // namespace freehold::shared_ptr_on_many_threads_test
