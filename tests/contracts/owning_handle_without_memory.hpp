// SPDX-License-Identifier: BSL-1.0
// The standard's promise: whichever allocation fails, nothing leaks and no pointee is lost. Each
// scenario is run with its first allocation failing, then its second, and so on until none is left
// to fail. For executables that link tests/handle/failing_new.cpp.
#pragma once

#include "contracts/observed_objects.hpp"
#include "handle/failing_new.hpp"

#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Strategy>
class owning_handle_without_memory : public testing::Test {
protected:
    void SetUp() override { census::start(); }

    // Free lists and heaps of a thread keep what they once got: a first run without failures lets
    // them have it, so that only what a scenario itself lost remains. `failures_at_least` says how
    // many allocations the scenario makes even then.
    template <class Scenario>
    static void fail_at_each_allocation(Scenario scenario, int failures_at_least) {
        scenario();
        const int failures = tests::fail_at_each_allocation(scenario, census::alive);
        EXPECT_GE(failures, failures_at_least);
    }
};

TYPED_TEST_SUITE_P(owning_handle_without_memory);

TYPED_TEST_P(owning_handle_without_memory, acquires_or_deletes) {
    using handle = typename TypeParam::template handle<animal<TypeParam>>;
    this->fail_at_each_allocation(
        [] {
            handle first(new animal<TypeParam>);
            handle second(new dog<TypeParam>);
            second.reset(new animal<TypeParam>);
            first = handle(new dog<TypeParam>);
            const handle copy(first);
        },
        4);
}

TYPED_TEST_P(owning_handle_without_memory, makes_or_deletes) {
    this->fail_at_each_allocation(
        [] {
            const auto first = TypeParam::template make<animal<TypeParam>>(1);
            const auto second = TypeParam::template make<dog<TypeParam>>(2);
        },
        0);
}

// As a custom deleter where the strategy has one, which then must be called for each pointee.
template <class Strategy>
struct counting_deleter {
    int* calls;
    void operator()(animal<Strategy>* doomed) const {
        ++*calls;
        delete doomed;
    }
};

TYPED_TEST_P(owning_handle_without_memory, calls_the_deleter) {
    int made = 0, calls = 0;
    this->fail_at_each_allocation(
        [&] {
            for (int i = 0; i < 3; ++i) {
                auto* const raw = new animal<TypeParam>;
                ++made;
                if constexpr (TypeParam::has_deleter) {
                    using deleter = counting_deleter<TypeParam>;
                    using handle =
                        typename TypeParam::template handle_with_deleter<animal<TypeParam>,
                                                                         deleter>;
                    const handle owner(raw, deleter{&calls});
                } else {
                    const typename TypeParam::template handle<animal<TypeParam>> owner(raw);
                }
            }
        },
        3);
    EXPECT_EQ(calls, TypeParam::has_deleter ? made : 0);
}

TYPED_TEST_P(owning_handle_without_memory, fills_containers_or_nothing) {
    using handle = typename TypeParam::template handle<animal<TypeParam>>;
    this->fail_at_each_allocation(
        [] {
            std::vector<handle> owners;
            for (int i = 0; i < 9; ++i) owners.push_back(handle(new animal<TypeParam>(i)));
            const std::vector<handle> copies(owners);
        },
        9);
}

REGISTER_TYPED_TEST_SUITE_P(owning_handle_without_memory, acquires_or_deletes, makes_or_deletes,
                            calls_the_deleter, fills_containers_or_nothing);

}  // namespace freehold::contracts
