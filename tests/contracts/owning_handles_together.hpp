// SPDX-License-Identifier: BSL-1.0
// What every owning handle promises where many of them work together: in graphs, in containers, in
// members, and when the destructor that it causes comes back to it.
#pragma once

#include "contracts/observed_objects.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

// Where destructors look for the handle that caused them.
template <class Strategy>
inline words_handle<Strategy> visited;

template <class Strategy>
class owning_handles_together : public testing::Test {
protected:
    void SetUp() override { census::start(); }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }
};

TYPED_TEST_SUITE_P(owning_handles_together);

TYPED_TEST_P(owning_handles_together, releases_chains_and_shared_subgraphs) {
    using handle = node_handle<TypeParam>;
    handle head(new node<TypeParam>);
    for (int i = 1; i < 1000; ++i) {
        handle front(new node<TypeParam>);
        front->left = head;
        front->right = std::move(head);
        head = std::move(front);
    }
    EXPECT_EQ(census::alive, 1000);
    const handle third(head->left->left);
    head = nullptr;
    EXPECT_EQ(census::alive, 998);
    EXPECT_TRUE(third.unique());
}

TYPED_TEST_P(owning_handles_together, can_be_assigned_from_within_its_own_pointee) {
    using handle = node_handle<TypeParam>;
    handle head(new node<TypeParam>);
    head->left = handle(new node<TypeParam>);
    head->left->left = handle(new node<TypeParam>);
    head = head->left;
    EXPECT_EQ(census::alive, 2);
    head = std::move(head->left);
    EXPECT_EQ(census::alive, 1);
    EXPECT_TRUE(head.unique());
}

TYPED_TEST_P(owning_handles_together, may_be_visited_by_the_destructor_that_it_causes) {
    using handle = words_handle<TypeParam>;
    using words = last_words<TypeParam>;
    static constexpr auto say_nothing = +[] {};
    constexpr auto replace = +[] {
        EXPECT_EQ(visited<TypeParam>->action, say_nothing) << "the new value came too late";
        visited<TypeParam> = handle(new words(say_nothing));
    };
    constexpr auto reset_again = +[] {
        EXPECT_EQ(visited<TypeParam>, nullptr) << "the new value came too late";
        visited<TypeParam>.reset();
    };
    const handle quiet(new words(say_nothing));
    visited<TypeParam> = handle(new words(replace));
    visited<TypeParam> = quiet;
    EXPECT_NE(visited<TypeParam>, quiet);
    EXPECT_TRUE(visited<TypeParam>.unique());
    visited<TypeParam> = handle(new words(replace));
    visited<TypeParam> = handle(new words(say_nothing));
    EXPECT_TRUE(visited<TypeParam>.unique());
    visited<TypeParam> = handle(new words(reset_again));
    visited<TypeParam>.reset();
    visited<TypeParam> = handle(new words(reset_again));
    visited<TypeParam> = nullptr;
    EXPECT_EQ(census::alive, 1);
}

TYPED_TEST_P(owning_handles_together, lives_in_containers) {
    using handle = animal_handle<TypeParam>;
    std::vector<handle> vector;
    std::mt19937 random(20260101);
    for (int i = 0; i < 300; ++i) {
        vector.emplace_back(new animal<TypeParam>(static_cast<int>(random() % 1000)));
    }
    const std::vector<handle> copies(vector);
    const auto by_value = [](const handle& a, const handle& b) { return a->value < b->value; };
    std::sort(vector.begin(), vector.end(), by_value);
    EXPECT_TRUE(std::is_sorted(vector.begin(), vector.end(), by_value));
    std::list<handle> list(copies.begin(), copies.end());
    list.sort(by_value);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), by_value));
    for (const handle& owner : copies) EXPECT_EQ(owner.use_count(), 3);
    vector.erase(vector.begin() + 10, vector.begin() + 200);
    vector.insert(vector.begin() + 5, copies.begin(), copies.begin() + 50);
    std::map<int, handle> map;
    for (const handle& owner : copies) map[owner->value] = owner;
    list.clear();
    vector.clear();
    map.clear();
    for (const handle& owner : copies) EXPECT_TRUE(owner.unique());
}

TYPED_TEST_P(owning_handles_together, may_be_a_member_where_its_pointee_is_undefined) {
    const holder_of_the_undefined<TypeParam> holder;
    const holder_of_the_undefined<TypeParam> copy(holder);
    EXPECT_EQ(holder.member.use_count(), 2);
}

// A thousand random steps against a plain model: which object each handle should own.
TYPED_TEST_P(owning_handles_together, agrees_with_a_model) {
    using handle = animal_handle<TypeParam>;
    std::array<handle, 12> handles;
    std::array<int, 12> model{};
    int last_made = 0;
    std::mt19937 random(2000);
    for (int step = 0; step < 1000; ++step) {
        const std::size_t to = random() % handles.size(), from = random() % handles.size();
        switch (random() % 6) {
            case 0:
                handles[to] = handle(new animal<TypeParam>(++last_made));
                model[to] = last_made;
                break;
            case 1:
                handles[to] = handles[from];
                model[to] = model[from];
                break;
            case 2:
                handles[to] = std::move(handles[from]);
                model[to] = model[from];
                if (to != from) model[from] = 0;
                break;
            case 3:
                swap(handles[to], handles[from]);
                std::swap(model[to], model[from]);
                break;
            case 4:
                handles[to].reset();
                model[to] = 0;
                break;
            default:
                handles[to] = handle(handles[from]);
                model[to] = model[from];
        }
        for (std::size_t i = 0; i < handles.size(); ++i) {
            ASSERT_EQ(handles[i] != nullptr ? handles[i]->value : 0, model[i]) << "step " << step;
            const auto owners = std::count(model.begin(), model.end(), model[i]);
            ASSERT_EQ(handles[i].use_count(), model[i] != 0 ? owners : 0) << "step " << step;
        }
        std::set<int> alive(model.begin(), model.end());
        alive.erase(0);
        ASSERT_EQ(census::alive, static_cast<int>(alive.size())) << "step " << step;
    }
}

REGISTER_TYPED_TEST_SUITE_P(owning_handles_together, releases_chains_and_shared_subgraphs,
                            can_be_assigned_from_within_its_own_pointee,
                            may_be_visited_by_the_destructor_that_it_causes, lives_in_containers,
                            may_be_a_member_where_its_pointee_is_undefined, agrees_with_a_model);

}  // namespace freehold::contracts
