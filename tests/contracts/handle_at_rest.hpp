// SPDX-License-Identifier: BSL-1.0
// What a counted handle promises of mistakes: one that is released, or copied, after the last owner
// of its object has let go is found, as long as nobody else has got the memory. Pools leave free
// blocks as they are, and mapped.
//
// A subject makes an object's first `handle`, and has a `weak` one beside it.
#pragma once

#include "death_tests.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

// A handle that nobody counted, as a mistaken copy of its bytes or a destructor called twice leaves
// behind.
template <class Handle>
class forgery {
public:
    explicit forgery(const Handle& original) {
        std::memcpy(bytes_.data(), static_cast<const void*>(&original), sizeof(Handle));
    }
    Handle& operator*() { return *std::launder(reinterpret_cast<Handle*>(bytes_.data())); }

private:
    alignas(Handle) std::array<std::byte, sizeof(Handle)> bytes_;
};

// What is said then. Where a sanitizer watches free memory, it may be the one that finds it.
inline constexpr const char* found_at_rest =
    "freehold: a handle was released or copied whose object has no owners any more|"
    "AddressSanitizer: (use-after-poison|heap-use-after-free)";

// Makes an object that `make` gives a handle to, and releases that twice.
template <class Make>
void expect_second_release_found(Make make) {
    const auto release_twice = [&] {
        auto only = make();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found_at_rest);
}

template <class Subject>
class handle_at_rest : public testing::Test {
protected:
    using handle = typename Subject::handle;
    using weak = typename Subject::weak;

    void SetUp() override { tests::run_death_tests_in_new_processes(); }

    handle make() { return subject_.make(); }

    Subject subject_;
};

TYPED_TEST_SUITE_P(handle_at_rest);

TYPED_TEST_P(handle_at_rest, is_found_at_a_second_release) {
    expect_second_release_found([this] { return this->make(); });
}

TYPED_TEST_P(handle_at_rest, is_found_by_a_destructor_that_runs_twice) {
    const auto destroy_twice = [this] {
        auto only = this->make();
        forgery once(only);
        forgery again(only);
        std::destroy_at(&*once);
        std::destroy_at(&*again);
    };
    EXPECT_DEATH(destroy_twice(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_after_all_copies) {
    const auto release_once_too_often = [this] {
        auto first = this->make();
        auto second = first;
        forgery again(first);
        second.reset();
        first.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_once_too_often(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_by_the_owner_who_comes_last_when_another_released_twice) {
    const auto release_twice = [this] {
        auto first = this->make();
        auto second = first;
        forgery again(first);
        first.reset();
        (*again).reset();
        second.reset();
    };
    EXPECT_DEATH(release_twice(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_while_weak_references_keep_the_memory) {
    const auto release_twice = [this] {
        auto owner = this->make();
        const typename TestFixture::weak observer(owner);
        forgery again(owner);
        owner.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_after_the_last_weak_reference) {
    const auto release_once_too_often = [this](bool of_weak) {
        auto owner = this->make();
        typename TestFixture::weak observer(owner);
        forgery again(owner);
        forgery observer_again(observer);
        owner.reset();
        observer.reset();
        if (of_weak) {
            (*observer_again).reset();
        } else {
            (*again).reset();
        }
    };
    EXPECT_DEATH(release_once_too_often(false), found_at_rest);
    EXPECT_DEATH(release_once_too_often(true), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_on_another_thread) {
    const auto release_twice = [this] {
        auto only = this->make();
        forgery again(only);
        std::thread([owner = std::move(only)]() mutable { owner.reset(); }).join();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_when_it_is_copied) {
    const auto copy_after_release = [this](bool shared) {
        auto original = this->make();
        if (shared) static_cast<void>(typename TestFixture::handle(original));
        forgery again(original);
        original.reset();
        const typename TestFixture::handle copy(*again);
    };
    EXPECT_DEATH(copy_after_release(false), found_at_rest);
    EXPECT_DEATH(copy_after_release(true), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_found_when_it_is_observed) {
    const auto observe_after_release = [this] {
        auto original = this->make();
        forgery again(original);
        original.reset();
        const typename TestFixture::weak observer(*again);
    };
    EXPECT_DEATH(observe_after_release(), found_at_rest);
    const auto copy_an_observer_after_its_release = [this] {
        auto owner = this->make();
        typename TestFixture::weak observer(owner);
        forgery again(observer);
        owner.reset();
        observer.reset();
        const typename TestFixture::weak copy(*again);
    };
    EXPECT_DEATH(copy_an_observer_after_its_release(), found_at_rest);
}

TYPED_TEST_P(handle_at_rest, is_given_by_no_weak_one_that_nobody_counts) {
    const auto lock_too_late = [this] {
        auto only = this->make();
        typename TestFixture::weak observer(only);
        forgery again(observer);
        observer.reset();
        only.reset();
        if ((*again).lock() != nullptr) return;
        std::fputs("nothing was given", stderr);
        std::abort();
    };
    EXPECT_DEATH(lock_too_late(), std::string(found_at_rest) + "|nothing was given");
}

TYPED_TEST_P(handle_at_rest, is_not_mistaken_for_one_in_the_same_block_made_anew) {
    for (int i = 0; i < 1000; ++i) {
        auto made = this->make();
        ASSERT_TRUE(made.unique());
        const auto copy = i % 2 == 0 ? made : nullptr;
        const typename TestFixture::weak observer(i % 3 == 0 ? made : nullptr);
        ASSERT_EQ(made.use_count(), i % 2 == 0 ? 2 : 1);
        made.reset();
        ASSERT_EQ(observer.expired(), i % 6 != 0);
    }
}

REGISTER_TYPED_TEST_SUITE_P(handle_at_rest, is_found_at_a_second_release,
                            is_found_by_a_destructor_that_runs_twice, is_found_after_all_copies,
                            is_found_by_the_owner_who_comes_last_when_another_released_twice,
                            is_found_while_weak_references_keep_the_memory,
                            is_found_after_the_last_weak_reference, is_found_on_another_thread,
                            is_found_when_it_is_copied, is_found_when_it_is_observed,
                            is_given_by_no_weak_one_that_nobody_counts,
                            is_not_mistaken_for_one_in_the_same_block_made_anew);

}  // namespace freehold::contracts
