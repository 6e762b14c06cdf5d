// SPDX-License-Identifier: BSL-1.0
// That a magazine has one holder at a time, also when it is taken and put back while another thread
// is about to take it.
#include <freehold/memory/detail/magazine.hpp>
#include <freehold/memory/detail/magazine_stack.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

namespace freehold::detail::magazine_stack_test {
namespace {

constexpr std::size_t magazine_size = 4;

class a_magazine_stack : public testing::Test {
protected:
    a_magazine_stack() {
        while (shelf_.room() < 4) {
            shelf_.add_board(::operator new(shelf_.board_size(), std::align_val_t(64)));
        }
        while (shelf_.made() < shelf_.room()) stack_.push(shelf_.make());
    }

    magazine_shelf shelf_{magazine_size};
    magazine_stack stack_;
};

TEST_F(a_magazine_stack, gives_first_what_was_put_there_last) {
    magazine* const top = stack_.pop(shelf_);
    ASSERT_EQ(top, &shelf_[3]);
    magazine* const second = stack_.pop(shelf_);
    ASSERT_EQ(second, &shelf_[2]);
    stack_.push(*top);
    EXPECT_EQ(stack_.pop(shelf_), top);
    EXPECT_EQ(stack_.pop(shelf_), &shelf_[1]);
    EXPECT_EQ(stack_.pop(shelf_), &shelf_[0]);
    EXPECT_TRUE(stack_.is_empty());
    EXPECT_EQ(stack_.pop(shelf_), nullptr);
}

// What others do while a thread is interrupted, done by whatever interrupts it: two are taken, and
// only the upper one is put back. Who takes the top for what it was before puts the lower one back
// on the stack, though it is taken.
class interrupted_stack : public a_magazine_stack {
protected:
    interrupted_stack() {
        interrupted_ = this;
        struct sigaction wanted = {};
        wanted.sa_handler = [](int) { interrupted_->interrupt(); };
        ::sigaction(SIGUSR1, &wanted, &before_);
    }
    ~interrupted_stack() override { ::sigaction(SIGUSR1, &before_, nullptr); }

    void interrupt() {
        magazine* const upper = stack_.pop(shelf_);
        if (lower_ == nullptr) lower_ = stack_.pop(shelf_);
        if (upper != nullptr) stack_.push(*upper);
        interruptions_.fetch_add(1);
    }

    static inline interrupted_stack* interrupted_ = nullptr;
    struct sigaction before_ = {};
    magazine* volatile lower_ = nullptr;
    std::atomic<int> interruptions_{0};
};

TEST_F(interrupted_stack, gives_nothing_that_was_taken_meanwhile) {
    const pthread_t here = ::pthread_self();
    std::atomic<bool> over{false};
    std::thread interrupting([&] {
        for (int sent = 1; sent <= 5'000; ++sent) {
            ::pthread_kill(here, SIGUSR1);
            while (interruptions_.load() < sent) std::this_thread::yield();
        }
        over.store(true);
    });
    std::size_t given_twice = 0;
    while (!over.load()) {
        magazine* const taken = stack_.pop(shelf_);
        if (magazine* const lower = lower_; lower != nullptr) {
            // Nobody but this thread puts it back.
            if (taken == lower) ++given_twice;
            lower_ = nullptr;
            stack_.push(*lower);
        }
        if (taken != nullptr) stack_.push(*taken);
    }
    interrupting.join();
    if (lower_ != nullptr) stack_.push(*lower_);
    EXPECT_EQ(given_twice, 0U);

    std::vector<bool> seen(shelf_.made());
    for (magazine* left = stack_.pop(shelf_); left != nullptr; left = stack_.pop(shelf_)) {
        ASSERT_FALSE(seen[left->number]);
        seen[left->number] = true;
    }
    for (const bool each : seen) EXPECT_TRUE(each);
}

}  // namespace
}  // namespace freehold::detail::magazine_stack_test
