// SPDX-License-Identifier: BSL-1.0
// Atomic pointers on several threads at once. The thread sanitizer's preset checks that whatever
// was done with an object by way of a snapshot happens before its destruction.
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include "handle/atomic_kinds.hpp"
#include "skip.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::atomic_pointers_on_many_threads_test {
namespace {

constexpr std::size_t threads = 4;

// Each thread writes to its own field without atomics; the destructor reads them all.
template <class Kind>
struct visited {
    static inline std::atomic<long> alive{0}, visits{0};
    explicit visited(long n = 0) : number(n) { alive.fetch_add(1, std::memory_order_relaxed); }
    visited(const visited&) = delete;
    visited& operator=(const visited&) = delete;
    ~visited() {
        for (const long count : visits_of) visits.fetch_add(count, std::memory_order_relaxed);
        visits_of.fill(-1);
        alive.fetch_sub(1, std::memory_order_relaxed);
    }
    void visit(std::size_t by) {
        EXPECT_GE(visits_of[by], 0) << "used after its destruction";
        ++visits_of[by];
    }
    const long number;
    std::array<long, threads> visits_of{};
};

template <class Kind>
using owner_of = typename Kind::template owner<visited<Kind>>;
template <class Kind>
using atomic_of = typename Kind::template atomic<visited<Kind>>;
template <class Kind>
using snapshot_of = snapshot_ptr<owner_of<Kind>>;

template <class Kind>
class atomic_pointers_on_many_threads : public testing::Test {
protected:
    void SetUp() override { visited<Kind>::visits = 0; }
    void TearDown() override { EXPECT_EQ(visited<Kind>::alive.load(), 0); }

    static owner_of<Kind> make(long number = 0) {
        return Kind::template make<visited<Kind>>(number);
    }
    template <class Work>
    static void on_each_thread(Work work) {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(work, t);
        for (std::thread& thread : workers) thread.join();
    }
};

using kinds = testing::Types<
    contracts::arc_in_atomic<atomic_count>, contracts::arc_in_atomic<biased_count>,
    contracts::arc_in_atomic<sharded_count>, contracts::shared_in_atomic<sharded_count>,
    contracts::shared_in_atomic<atomic_count>, contracts::shared_in_atomic<biased_count>>;
TYPED_TEST_SUITE(atomic_pointers_on_many_threads, kinds);

// One writes without pause, or now and then: readers of both phases, and changes between them.
TYPED_TEST(atomic_pointers_on_many_threads, read_what_one_replaces) {
    std::atomic<long> visits{0};
    for (const int pause : {0, 300, 3000}) {
        atomic_of<TypeParam> place(this->make(0));
        std::atomic<std::size_t> reading{threads - 1};
        this->on_each_thread([&](std::size_t self) {
            if (self == 0) {
                for (long i = 1; reading > 0; ++i) {
                    place.store(this->make(i));
                    for (int k = 0; k < pause; ++k)
                        std::atomic_signal_fence(std::memory_order_seq_cst);
                }
                return;
            }
            long last = 0;
            for (int i = 0; i < 20'000; ++i) {
                const auto now = place.snapshot();
                ASSERT_GE(now->number, last) << "it went back";
                last = now->number;
                now->visit(self);
                if (i % 8 == 0) {
                    const auto owned = place.load();
                    ASSERT_GE(owned->number, last);
                    owned->visit(self);
                    visits.fetch_add(1, std::memory_order_relaxed);
                }
            }
            visits.fetch_add(20'000, std::memory_order_relaxed);
            --reading;
        });
    }
    EXPECT_EQ(visited<TypeParam>::visits.load(), visits.load());
}

// Every operation on every thread, on places that share objects.
TYPED_TEST(atomic_pointers_on_many_threads, do_everything_at_once) {
    constexpr int rounds = 8'000;
    std::atomic<long> visits{0};
    {
        std::array<atomic_of<TypeParam>, 3> places;
        for (auto& place : places) place = this->make();
        this->on_each_thread([&](std::size_t self) {
            std::mt19937 random(static_cast<unsigned>(self));
            std::vector<snapshot_of<TypeParam>> held(12);
            long mine = 0;
            const auto visit = [&](const auto& handle) {
                if (!handle) return;
                handle->visit(self);
                ++mine;
            };
            for (int i = 0; i < rounds; ++i) {
                auto& place = places[random() % places.size()];
                auto& other = places[random() % places.size()];
                auto& one = held[random() % held.size()];
                switch (random() % 12) {
                    case 0:
                        place.store(this->make());
                        break;
                    case 1:
                        visit(place.exchange(this->make()));
                        break;
                    case 2:
                        place.store(other.load());
                        break;
                    case 3: {
                        auto expected = place.load();
                        const auto desired = this->make();
                        while (!place.compare_exchange_weak(expected, desired)) {
                        }
                        visit(expected);
                        break;
                    }
                    case 4: {
                        owner_of<TypeParam> expected = place.snapshot();
                        if (!place.compare_exchange_strong(expected, nullptr)) visit(expected);
                        break;
                    }
                    case 5:
                        visit(place.update([&](const auto& now) {
                            visit(now);
                            return this->make();
                        }));
                        break;
                    case 6:
                        visit(one);
                        one = place.snapshot();
                        break;
                    case 7: {
                        owner_of<TypeParam> owner = std::move(one);
                        visit(owner);
                        place.store(std::move(owner));
                        break;
                    }
                    case 8:
                        visit(place.load());
                        break;
                    default:
                        visit(place.snapshot());
                        one.reset();
                }
            }
            for (const auto& each : held) visit(each);
            visits.fetch_add(mine, std::memory_order_relaxed);
        });
    }
    EXPECT_EQ(visited<TypeParam>::visits.load(), visits.load());
}

// Threads that come and go, and leave snapshots to others.
TYPED_TEST(atomic_pointers_on_many_threads, leave_snapshots_to_each_other) {
    constexpr int generations = 60;
    {
        atomic_of<TypeParam> place(this->make());
        std::mutex mutex;
        std::vector<snapshot_of<TypeParam>> shelf;
        for (int g = 0; g < generations; ++g) {
            this->on_each_thread([&](std::size_t self) {
                std::mt19937 random(static_cast<unsigned>(g * 16) + static_cast<unsigned>(self));
                for (int i = 0; i < 40; ++i) {
                    auto taken = place.snapshot();
                    if (random() % 4 == 0) place.store(this->make());
                    const std::lock_guard lock(mutex);
                    if (shelf.size() > 10) {
                        std::swap(shelf[random() % shelf.size()], taken);
                    } else {
                        shelf.push_back(std::move(taken));
                    }
                }
            });
        }
        for (const auto& each : shelf) each->visit(0);
    }
}

// Updates by several threads: none is lost.
TYPED_TEST(atomic_pointers_on_many_threads, update_one_another) {
    constexpr long updates = 2'000;
    atomic_of<TypeParam> place(this->make(0));
    this->on_each_thread([&](std::size_t) {
        for (long i = 0; i < updates; ++i) {
            place.update([&](const auto& now) { return this->make(now->number + 1); });
        }
    });
    EXPECT_EQ(place.load()->number, static_cast<long>(threads) * updates);
}

// Two threads in turn, each waiting until the other has stored; both wake up each time.
TYPED_TEST(atomic_pointers_on_many_threads, wait_for_each_other) {
    constexpr int rounds = 1'000;
    atomic_of<TypeParam> ball;
    const auto play = [&](bool serves) {
        owner_of<TypeParam> seen;
        for (long i = serves ? 0 : 1; i < rounds; i += 2) {
            if (i > 0) {
                ball.wait(seen);
                seen = ball.load();
                EXPECT_EQ(seen->number, i - 1);
            }
            seen = this->make(i);
            ball.store(seen);
            ball.notify_one();
        }
    };
    std::thread opponent(play, false);
    play(true);
    opponent.join();
    EXPECT_EQ(ball.load()->number, rounds - 1);
}

// A child has the snapshots that its one thread has, and may store whatever the others were doing.
TYPED_TEST(atomic_pointers_on_many_threads, are_forked) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return tests::does_not_apply("sanitizers do not keep their own locks across a fork");
#endif
    atomic_of<TypeParam> place(this->make(1));
    auto held = place.snapshot();
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        while (!stop) place.store(this->make(2));
    });
    std::thread reader([&] {
        while (!stop) EXPECT_GE(place.snapshot()->number, 1);
    });
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            bool ok = held->number == 1 && place.load()->number >= 1;
            place.store(this->make(3));
            for (int k = 0; k < 2'000; ++k) ok = ok && place.snapshot()->number == 3;
            std::thread([&] { ok = ok && place.snapshot()->number == 3; }).join();
            place.store(nullptr);
            held.reset();
            std::_Exit(ok ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    stop = true;
    writer.join();
    reader.join();
    EXPECT_EQ(held->number, 1);
}

// Weak references, while owners come and go.
TEST(an_atomic_weak_ptr_on_many_threads, gives_references_to_what_lives_or_has_lived) {
    using kind = contracts::shared_in_atomic<atomic_count>;
    atomic_of<kind> strong(make_shared<visited<kind>>(1));
    std::atomic<weak_ptr<visited<kind>>> weak(strong.load());
    std::vector<std::thread> workers;
    for (std::size_t self = 0; self < threads; ++self) {
        workers.emplace_back([&, self] {
            for (int i = 0; i < 5'000; ++i) {
                if (self == 0) {
                    strong.store(make_shared<visited<kind>>(1));
                    if (i % 3 == 0) weak = strong.load();
                } else if (const auto locked = weak.load().lock()) {
                    locked->visit(self);
                }
            }
        });
    }
    for (std::thread& each : workers) each.join();
    strong = nullptr;
    EXPECT_TRUE(weak.load().expired());
    EXPECT_EQ(visited<kind>::alive.load(), 0);
}

}  // namespace
}  // namespace freehold::atomic_pointers_on_many_threads_test
