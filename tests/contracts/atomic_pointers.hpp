// SPDX-License-Identifier: BSL-1.0
// What every atomic pointer promises on one thread; tests/stress/ has them on many.
//
// A kind of atomic pointer is a struct with
//   owner<T>        the handle that it holds
//   atomic<T>       the atomic under test
//   make<T>(...)    a new T and its owner
//   words           its size
#pragma once

#include <freehold/handle/atomic_shared_ptr.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

// Counts itself. Holds what a test puts into it until it dies.
template <class Kind>
struct resident {
    static inline std::atomic<int> alive{0};
    explicit resident(int number = 0) : value(number) { ++alive; }
    resident(const resident& other) : value(other.value) { ++alive; }
    resident& operator=(const resident&) = delete;
    ~resident() {
        if (at_end) at_end();
        --alive;
    }
    int value;
    std::function<void()> at_end;
};

template <class Kind>
using owner_of = typename Kind::template owner<resident<Kind>>;
template <class Kind>
using atomic_of = typename Kind::template atomic<resident<Kind>>;
template <class Kind>
using snapshot_of = snapshot_ptr<owner_of<Kind>>;

template <class Kind>
class atomic_pointer : public testing::Test {
protected:
    static owner_of<Kind> make(int value) { return Kind::template make<resident<Kind>>(value); }
    static int alive() { return resident<Kind>::alive; }

    void TearDown() override { EXPECT_EQ(alive(), 0) << "an object outlived its owners"; }
};

TYPED_TEST_SUITE_P(atomic_pointer);

TYPED_TEST_P(atomic_pointer, is_as_small_as_its_handle_and_never_copied) {
    using atomic = atomic_of<TypeParam>;
    EXPECT_EQ(sizeof(atomic), TypeParam::words * sizeof(void*));
    EXPECT_FALSE(std::is_copy_constructible_v<atomic>);
    EXPECT_FALSE(std::is_copy_assignable_v<atomic>);
    EXPECT_FALSE(std::is_copy_constructible_v<snapshot_of<TypeParam>>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<snapshot_of<TypeParam>>);
    EXPECT_TRUE((std::is_same_v<typename atomic::value_type, owner_of<TypeParam>>));
    EXPECT_FALSE(atomic::is_always_lock_free);
    EXPECT_FALSE(atomic().is_lock_free());
}

TYPED_TEST_P(atomic_pointer, may_be_null) {
    static constinit atomic_of<TypeParam> null, also_null = nullptr;
    EXPECT_EQ(null.load(), nullptr);
    EXPECT_EQ(also_null.snapshot(), nullptr);
    EXPECT_FALSE(null.snapshot());
    const snapshot_of<TypeParam> none = null.snapshot();
    const auto one = this->make(1);
    null = one;
    EXPECT_EQ(none, nullptr) << "that it was is not changed";
    EXPECT_EQ(null.snapshot().get(), one.get());
    null = nullptr;
    EXPECT_EQ(null.exchange(nullptr), nullptr);
    EXPECT_EQ(owner_of<TypeParam>(null.snapshot()), nullptr);
}

TYPED_TEST_P(atomic_pointer, reads_and_replaces) {
    using owner = owner_of<TypeParam>;
    const owner one = this->make(1), two = this->make(2);
    atomic_of<TypeParam> place(one);
    EXPECT_EQ(one.use_count(), 2);
    EXPECT_EQ(place.load(), one);
    EXPECT_EQ(place.load(std::memory_order_acquire)->value, 1);
    place = two;
    EXPECT_EQ(one.use_count(), 1);
    EXPECT_EQ(static_cast<owner>(place), two);
    EXPECT_EQ(place.exchange(one), two);
    place.store(two, std::memory_order_release);
    EXPECT_EQ(place.exchange(one, std::memory_order_acq_rel), two);
    EXPECT_EQ(two.use_count(), 1);
    EXPECT_EQ(one.use_count(), 2);
}

TYPED_TEST_P(atomic_pointer, exchanges_if_it_holds_what_is_expected) {
    using owner = owner_of<TypeParam>;
    const owner one = this->make(1), two = this->make(2);
    atomic_of<TypeParam> place(one);
    owner expected = two;
    EXPECT_FALSE(place.compare_exchange_strong(expected, two));
    EXPECT_EQ(expected, one);
    EXPECT_TRUE(place.compare_exchange_strong(expected, two));
    EXPECT_EQ(expected, one) << "unchanged";
    EXPECT_EQ(one.use_count(), 2);
    EXPECT_FALSE(place.compare_exchange_weak(expected, nullptr, std::memory_order_acq_rel,
                                             std::memory_order_acquire));
    EXPECT_TRUE(place.compare_exchange_weak(expected, nullptr, std::memory_order_acq_rel,
                                            std::memory_order_acquire));
    EXPECT_FALSE(place.compare_exchange_weak(expected, one, std::memory_order_release));
    EXPECT_TRUE(place.compare_exchange_strong(expected, one, std::memory_order_seq_cst,
                                              std::memory_order_relaxed));
    EXPECT_EQ(two.use_count(), 1);
    EXPECT_EQ(one.use_count(), 2);
}

TYPED_TEST_P(atomic_pointer, gives_snapshots_that_do_not_count) {
    using owner = owner_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    auto first = place.snapshot();
    EXPECT_EQ(first->value, 1);
    EXPECT_EQ((*first).value, 1);
    EXPECT_TRUE(first);
    EXPECT_EQ(place.load().use_count(), 2) << "the place, and what load() has made";
    snapshot_of<TypeParam> second = std::move(first);
    EXPECT_EQ(first, nullptr);
    EXPECT_EQ(second->value, 1);
    place.store(this->make(2));
    EXPECT_EQ(second->value, 1) << "it keeps what it has";
    EXPECT_EQ(this->alive(), 2);
    EXPECT_EQ(place.snapshot()->value, 2);
    swap(first, second);
    EXPECT_EQ(first->value, 1);
    first = place.snapshot();
    EXPECT_EQ(this->alive(), 1) << "what was replaced dies with its last snapshot";
    const owner kept = first;
    EXPECT_EQ(kept.use_count(), 2);
    const owner kept_too = std::move(first);
    EXPECT_EQ(first, nullptr);
    EXPECT_EQ(kept.use_count(), 3);
    second = place.snapshot();
    second.reset();
    EXPECT_EQ(second, nullptr);
}

// The slots of a thread are eight.
TYPED_TEST_P(atomic_pointer, gives_any_number_of_snapshots) {
    constexpr int many = 20;
    atomic_of<TypeParam> place(this->make(0));
    std::vector<snapshot_of<TypeParam>> held;
    for (int i = 0; i < many; ++i) {
        held.push_back(place.snapshot());
        held.push_back(place.snapshot());
        place.store(this->make(i + 1));
    }
    EXPECT_EQ(this->alive(), many + 1);
    for (int i = 0; i < many; ++i) {
        EXPECT_EQ(held[2 * i]->value, i);
        held[2 * i].reset();
        EXPECT_EQ(this->alive(), many + 1 - i);
        EXPECT_EQ(place.load()->value, many);
        held[2 * i + 1].reset();
        EXPECT_EQ(this->alive(), many - i);
    }
}

TYPED_TEST_P(atomic_pointer, may_end_before_its_snapshots) {
    std::optional<atomic_of<TypeParam>> place(std::in_place, this->make(1));
    auto held = place->snapshot();
    place.reset();
    EXPECT_EQ(held->value, 1);
    EXPECT_EQ(owner_of<TypeParam>(held).use_count(), 2) << "the snapshot owns it now";
    held.reset();
    EXPECT_EQ(this->alive(), 0);
}

// One object in two places: a snapshot from one is no matter of the other.
TYPED_TEST_P(atomic_pointer, shares_an_object_with_another) {
    const auto shared = this->make(1);
    atomic_of<TypeParam> one(shared), other(shared);
    const auto of_one = one.snapshot(), of_other = other.snapshot();
    one = nullptr;
    EXPECT_EQ(of_one->value, of_other->value);
    other = nullptr;
    EXPECT_EQ(shared.use_count(), 3) << "both were paid";
}

TYPED_TEST_P(atomic_pointer, updates_by_a_copy) {
    using owner = owner_of<TypeParam>;
    using snapshot = snapshot_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    const owner former =
        place.update([&](const snapshot& now) { return this->make(now->value + 1); });
    EXPECT_EQ(former->value, 1);
    EXPECT_EQ(former.use_count(), 1);
    EXPECT_EQ(place.load()->value, 2);
    EXPECT_EQ(place.update([](const snapshot&) { return owner(); })->value, 2);
    EXPECT_EQ(place.update([&](const snapshot& now) {
        EXPECT_EQ(now, nullptr);
        return this->make(3);
    }),
              nullptr);
    EXPECT_EQ(place.load()->value, 3);
}

TYPED_TEST_P(atomic_pointer, stays_as_it_is_if_an_update_throws) {
    using owner = owner_of<TypeParam>;
    using snapshot = snapshot_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    EXPECT_THROW(place.update([](const snapshot&) -> owner { throw std::runtime_error("no"); }),
                 std::runtime_error);
    EXPECT_EQ(place.load()->value, 1);
    EXPECT_EQ(place.load().use_count(), 2) << "its snapshot has been released";
}

TYPED_TEST_P(atomic_pointer, updates_what_the_update_itself_has_stored) {
    using snapshot = snapshot_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    int calls = 0;
    const auto former = place.update([&](const snapshot& now) {
        if (++calls == 1) place.store(this->make(10));
        return this->make(now->value + 1);
    });
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(former->value, 10);
    EXPECT_EQ(place.load()->value, 11);
}

// The old value's destructor may come back: no lock is held then.
TYPED_TEST_P(atomic_pointer, may_be_used_by_the_destructor_that_it_causes) {
    using owner = owner_of<TypeParam>;
    atomic_of<TypeParam> place;
    int visits = 0;
    const auto make_visitor = [&] {
        const owner made = this->make(++visits);
        made->at_end = [&] {
            ++visits;
            const auto seen = place.snapshot();
            place.store(this->make(100));
            EXPECT_EQ(place.load()->value, 100);
        };
        return made;
    };
    place = make_visitor();
    place = nullptr;
    EXPECT_EQ(place.load()->value, 100) << "what the destructor has stored came last";
    place = make_visitor();
    place.exchange(nullptr).reset();
    place = make_visitor();
    auto expected = place.load();
    EXPECT_TRUE(place.compare_exchange_strong(expected, nullptr));
    expected.reset();
    place = make_visitor();
    {
        auto last = place.snapshot();
        place = nullptr;
        EXPECT_EQ(place.load(), nullptr);
        last.reset();
    }
    EXPECT_EQ(place.load()->value, 100);
    EXPECT_EQ(visits, 8);
}

// As with an owner of itself: it lives until that is released.
TYPED_TEST_P(atomic_pointer, keeps_an_object_that_holds_a_snapshot_of_itself) {
    using snapshot = snapshot_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    const auto own = std::make_shared<snapshot>(place.snapshot());
    place.load()->at_end = [own] {};
    place = nullptr;
    EXPECT_EQ(this->alive(), 1);
    EXPECT_EQ((*own)->value, 1);
    own->reset();
    EXPECT_EQ(this->alive(), 0);
}

TYPED_TEST_P(atomic_pointer, waits_until_it_holds_something_else) {
    atomic_of<TypeParam> place(this->make(1));
    place.wait(nullptr);
    for (const auto& next : {this->make(2), owner_of<TypeParam>()}) {
        const auto before = place.load();
        std::thread changer([&] {
            place.notify_one();
            place.store(next);
            place.notify_all();
        });
        place.wait(before);
        EXPECT_EQ(place.load(), next);
        changer.join();
    }
}

TYPED_TEST_P(atomic_pointer, gives_snapshots_that_other_threads_may_release) {
    atomic_of<TypeParam> place(this->make(1));
    auto before = place.snapshot(), after = place.snapshot();
    std::thread([&, moved = std::move(before)]() mutable {
        EXPECT_EQ(moved->value, 1);
        moved.reset();
        EXPECT_EQ(place.snapshot()->value, 1);
        place.store(nullptr);
    }).join();
    EXPECT_EQ(after->value, 1);
    std::thread([moved = std::move(after)] { EXPECT_EQ(moved->value, 1); }).join();
    EXPECT_EQ(this->alive(), 0) << "the other thread had the last one";
}

TYPED_TEST_P(atomic_pointer, gives_snapshots_that_outlive_their_thread) {
    using snapshot = snapshot_of<TypeParam>;
    atomic_of<TypeParam> place(this->make(1));
    std::vector<snapshot> left;
    // More than a thread has slots: the next thread has what the last one has left.
    for (int i = 0; i < 3; ++i) {
        std::thread([&] {
            for (int k = 0; k < 5; ++k) left.push_back(place.snapshot());
        }).join();
    }
    place.store(this->make(2));
    for (snapshot& each : left) EXPECT_EQ(each->value, 1);
    left.resize(1);
    EXPECT_EQ(this->alive(), 2);
    left.clear();
    EXPECT_EQ(this->alive(), 1);
}

// Destructors of a thread's variables run after its slots were given up, or before.
TYPED_TEST_P(atomic_pointer, may_be_used_while_a_thread_ends) {
    using atomic = atomic_of<TypeParam>;
    struct last_words {
        atomic& place;
        int& seen;
        ~last_words() {
            const auto now = place.snapshot();
            seen += now->value + place.load()->value;
            place.store(place.load());
        }
    };
    atomic place(this->make(1));
    int seen = 0;
    std::thread([&] {
        // Made first, destroyed last.
        thread_local const last_words later{place, seen};
        static_cast<void>(&later);
        EXPECT_EQ(place.snapshot()->value, 1);
        thread_local const last_words sooner{place, seen};
        static_cast<void>(&sooner);
    }).join();
    EXPECT_EQ(seen, 4);
}

REGISTER_TYPED_TEST_SUITE_P(
    atomic_pointer, is_as_small_as_its_handle_and_never_copied, may_be_null, reads_and_replaces,
    exchanges_if_it_holds_what_is_expected, gives_snapshots_that_do_not_count,
    gives_any_number_of_snapshots, may_end_before_its_snapshots, shares_an_object_with_another,
    updates_by_a_copy, stays_as_it_is_if_an_update_throws,
    updates_what_the_update_itself_has_stored, may_be_used_by_the_destructor_that_it_causes,
    keeps_an_object_that_holds_a_snapshot_of_itself, waits_until_it_holds_something_else,
    gives_snapshots_that_other_threads_may_release, gives_snapshots_that_outlive_their_thread,
    may_be_used_while_a_thread_ends);

}  // namespace freehold::contracts
