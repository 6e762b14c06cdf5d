// SPDX-License-Identifier: BSL-1.0
// What every owning handle promises when standard containers and wrappers hold it: each object has
// the owners that the containers hold, a handle that was moved from is null, and an object is
// destroyed when the last container forgets it, and not before.
#pragma once

#include "contracts/observed_objects.hpp"

#include <algorithm>
#include <any>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Strategy>
class handles_in_containers : public testing::Test {
protected:
    using handle = animal_handle<Strategy>;
    using handles = std::vector<handle>;

    void SetUp() override { census::start(); }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }

    static handle make(int value) { return Strategy::template make<animal<Strategy>>(value); }
    // Handles to objects with the values 0, 1, ...
    static handles numbered(int count) {
        handles made;
        for (int i = 0; i < count; ++i) made.push_back(make(i));
        return made;
    }
    static std::vector<int> values(const handles& of) {
        std::vector<int> found;
        for (const handle& each : of) found.push_back(each ? each->value : -1);
        return found;
    }
    static bool less(const handle& a, const handle& b) { return a->value < b->value; }
    static void expect_owners(const handles& of, long owners) {
        for (const handle& each : of) EXPECT_EQ(each.use_count(), owners);
    }
};

TYPED_TEST_SUITE_P(handles_in_containers);

TYPED_TEST_P(handles_in_containers, are_shifted_by_erase_and_insert) {
    auto tested = this->numbered(6);
    tested.erase(tested.begin());
    EXPECT_EQ(census::alive, 5);
    tested.erase(tested.begin() + 1, tested.begin() + 3);
    EXPECT_EQ(census::alive, 3);
    tested.insert(tested.begin(), this->make(7));
    tested.insert(tested.begin() + 2, this->make(8));
    EXPECT_EQ(this->values(tested), (std::vector<int>{7, 1, 8, 4, 5}));
    this->expect_owners(tested, 1);
}

TYPED_TEST_P(handles_in_containers, may_be_inserted_from_the_same_container) {
    auto tested = this->numbered(3);
    tested.reserve(8);
    tested.insert(tested.begin(), tested.back());
    tested.insert(tested.begin() + 1, tested.front());
    EXPECT_EQ(this->values(tested), (std::vector<int>{2, 2, 0, 1, 2}));
    EXPECT_EQ(tested.front().use_count(), 3);
    const auto copies = tested;
    tested.insert(tested.begin() + 1, copies.begin(), copies.end());
    EXPECT_EQ(this->values(tested), (std::vector<int>{2, 2, 2, 0, 1, 2, 2, 0, 1, 2}));
    EXPECT_EQ(tested[3].use_count(), 3);
    EXPECT_EQ(census::alive, 3);
}

TYPED_TEST_P(handles_in_containers, are_moved_when_a_vector_grows) {
    auto tested = this->numbered(100);
    tested.reserve(2 * tested.capacity());
    tested.resize(120);
    EXPECT_EQ(tested.back(), nullptr);
    tested.resize(100);
    tested.shrink_to_fit();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(tested[static_cast<std::size_t>(i)]->value, i);
    this->expect_owners(tested, 1);
    tested.resize(50);
    EXPECT_EQ(census::alive, 50);
}

TYPED_TEST_P(handles_in_containers, are_permuted_by_algorithms) {
    auto tested = this->numbered(101);
    auto& less = *this->less;
    std::mt19937 random(1);
    std::shuffle(tested.begin(), tested.end(), random);
    std::rotate(tested.begin(), tested.begin() + 1, tested.end());
    std::rotate(tested.begin(), tested.begin() + 34, tested.end());
    std::reverse(tested.begin(), tested.end());
    std::partition(tested.begin(), tested.end(), [](const auto& p) { return p->value % 2 == 0; });
    std::swap_ranges(tested.begin(), tested.begin() + 50, tested.begin() + 50);
    std::make_heap(tested.begin(), tested.end(), less);
    std::pop_heap(tested.begin(), tested.end(), less);
    std::stable_sort(tested.begin(), tested.begin() + 60, less);
    std::nth_element(tested.begin(), tested.begin() + 50, tested.end(), less);
    this->expect_owners(tested, 1);
    std::sort(tested.begin(), tested.end(), less);
    std::vector<int> expected(101);  // NOLINT(freehold-hidden-zeroing): once, in a test
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(this->values(tested), expected);
}

TYPED_TEST_P(handles_in_containers, are_destroyed_when_removed) {
    auto tested = this->numbered(10);
    const auto odd = [](const auto& p) { return p->value % 2 != 0; };
    const auto kept = std::remove_if(tested.begin(), tested.end(), odd);
    EXPECT_EQ(census::alive, 8) << "two are assigned over, three wait to be erased";
    EXPECT_EQ(std::count(kept, tested.end(), nullptr), 2) << "moved from";
    tested.erase(kept, tested.end());
    EXPECT_EQ(this->values(tested), (std::vector<int>{0, 2, 4, 6, 8}));
    const auto same = [](const auto& a, const auto& b) { return a->value / 4 == b->value / 4; };
    tested.erase(std::unique(tested.begin(), tested.end(), same), tested.end());
    EXPECT_EQ(this->values(tested), (std::vector<int>{0, 4, 8}));
    EXPECT_EQ(census::alive, 3);
    tested.clear();
    EXPECT_EQ(census::alive, 0);
}

TYPED_TEST_P(handles_in_containers, share_when_a_container_is_copied) {
    auto tested = this->numbered(5);
    auto copy = tested;
    this->expect_owners(tested, 2);
    auto others = this->numbered(3);
    others = tested;
    this->expect_owners(tested, 3);
    EXPECT_EQ(census::alive, 5);
    for (auto& each : copy) each = nullptr;
    others.clear();
    this->expect_owners(tested, 1);
    copy = std::move(tested);
    this->expect_owners(copy, 1);
}

TYPED_TEST_P(handles_in_containers, are_null_when_moved_from) {
    auto tested = this->numbered(4);
    typename TestFixture::handles to(4);
    std::move(tested.begin(), tested.end(), to.begin());
    EXPECT_TRUE(
        std::all_of(tested.begin(), tested.end(), [](const auto& p) { return p == nullptr; }));
    std::move_backward(to.begin(), to.begin() + 3, to.end());
    EXPECT_EQ(this->values(to), (std::vector<int>{-1, 0, 1, 2}));
    EXPECT_EQ(census::alive, 3);
}

TYPED_TEST_P(handles_in_containers, pass_through_a_queue) {
    std::deque<typename TestFixture::handle> queue;
    for (int i = 0; i < 8; ++i) queue.push_back(this->make(i));
    for (int i = 0; i < 1000; ++i) {
        auto first = std::move(queue.front());
        queue.pop_front();
        ASSERT_EQ(first->value, i % 8);
        ASSERT_EQ(first.use_count(), 1);
        queue.push_back(std::move(first));
    }
    queue.erase(queue.begin() + 2);
    queue.insert(queue.begin() + 5, this->make(9));
    EXPECT_EQ(queue.size(), 8U);
    EXPECT_EQ(census::alive, 8);
}

TYPED_TEST_P(handles_in_containers, are_values_and_keys_of_maps) {
    const auto objects = this->numbered(20);
    std::map<int, typename TestFixture::handle> ordered;
    std::unordered_map<int, typename TestFixture::handle> unordered;
    std::map<typename TestFixture::handle, int> keys;
    for (const auto& each : objects) {
        ordered[each->value % 10] = each;
        unordered.insert_or_assign(each->value % 5, each);
        keys.emplace(each, each->value);
    }
    EXPECT_EQ(objects[0].use_count(), 2);
    EXPECT_EQ(objects[10].use_count(), 3);
    EXPECT_EQ(objects[15].use_count(), 4);
    for (const auto& each : objects) EXPECT_EQ(keys.at(each), each->value);
    auto node = ordered.extract(5);
    EXPECT_EQ(node.mapped(), objects[15]);
    unordered.clear();
    keys.clear();
    EXPECT_EQ(objects[15].use_count(), 2);
}

TYPED_TEST_P(handles_in_containers, are_held_by_wrappers_of_values) {
    using owner = typename TestFixture::handle;
    const owner object = this->make(3);
    std::function<int(owner)> by_value = [](owner one) { return one->value; };
    EXPECT_EQ(by_value(object), 3);
    EXPECT_EQ(object.use_count(), 1);
    std::function<long()> holding = [object] { return object.use_count(); };
    EXPECT_EQ(holding(), 2);
    std::optional<owner> perhaps = object;
    owner moved = *std::move(perhaps);
    EXPECT_EQ(*perhaps, nullptr);
    std::variant<int, owner> either = object;
    std::any whatever = object;
    EXPECT_EQ(object.use_count(), 5);
    either = 1;
    moved.reset();
    auto other = std::move(whatever);
    EXPECT_EQ(std::any_cast<owner&>(other), object);
    other.reset();
    holding = nullptr;
    EXPECT_EQ(object.use_count(), 1);
}

REGISTER_TYPED_TEST_SUITE_P(handles_in_containers, are_shifted_by_erase_and_insert,
                            may_be_inserted_from_the_same_container, are_moved_when_a_vector_grows,
                            are_permuted_by_algorithms, are_destroyed_when_removed,
                            share_when_a_container_is_copied, are_null_when_moved_from,
                            pass_through_a_queue, are_values_and_keys_of_maps,
                            are_held_by_wrappers_of_values);

}  // namespace freehold::contracts
