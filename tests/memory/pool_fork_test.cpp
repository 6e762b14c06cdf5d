// SPDX-License-Identifier: BSL-1.0
// A child that fork made has a pool of its own from then on, with what was cached by its thread.
#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"
#include "skip.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::pool_fork_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

// Whether the work, done in a child, ended well. The child leaves without its parent's destructors.
bool holds_in_a_child(const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() && !testing::Test::HasFailure() ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

pool_options forked() {
    pool_options asked;
    asked.block_size = 600;
    asked.magazine_size = 8;
    asked.growth = 50;
    asked.name = "forked";
    return asked;
}

TEST(a_pool_in_a_forked_child, allocates_and_frees_what_its_parent_had_too) {
    pool tested(forked());
    std::vector<void*> blocks = take(tested, 100);
    for (void* block : blocks) contracts::mark(block, 600);
    for (std::size_t i = 0; i < 30; ++i) {
        tested.deallocate(blocks.back());
        blocks.pop_back();
    }
    EXPECT_TRUE(holds_in_a_child([&] {
        expect_conserved(tested, 70);
        const std::vector<void*> more = contracts::use_at_random(tested, 1, 2000, 200);
        expect_conserved(tested, 70 + more.size());
        for (void* block : blocks) {
            if (!contracts::is_marked(block, 600)) return false;
        }
        give_back(tested, more);
        give_back(tested, blocks);
        expect_conserved(tested, 0);
        return true;
    }));
    // Nothing of that is seen here.
    expect_conserved(tested, 70);
    for (void* block : blocks) EXPECT_TRUE(contracts::is_marked(block, 600));
    give_back(tested, blocks);
    expect_conserved(tested, 0);
}

// Threads that have used a pool, and of which a child knows nothing but what they left in memory.
class workers_of_the_parent {
public:
    workers_of_the_parent(int threads, const std::function<void()>& work) {
        for (int i = 0; i < threads; ++i) {
            threads_.emplace_back([this, &work] {
                work();
                std::unique_lock lock(mutex_);
                ++ready_;
                changed_.notify_all();
                changed_.wait(lock, [this] { return may_end_; });
            });
        }
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ready_ == threads; });
    }
    workers_of_the_parent(const workers_of_the_parent&) = delete;
    workers_of_the_parent& operator=(const workers_of_the_parent&) = delete;
    ~workers_of_the_parent() {
        {
            const std::lock_guard lock(mutex_);
            may_end_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int ready_ = 0;
    bool may_end_ = false;
    std::vector<std::thread> threads_;
};

TEST(a_pool_in_a_forked_child, does_without_what_other_threads_had_cached) {
    pool tested(forked());
    std::optional<workers_of_the_parent> other(std::in_place, 1,
                                               [&] { give_back(tested, take(tested, 12)); });
    const std::size_t theirs = tested.statistics().cached;
    EXPECT_GE(theirs, 12U);
    const std::size_t capacity = tested.statistics().capacity;
    EXPECT_TRUE(holds_in_a_child([&] {
        // All but those can be had before it grows.
        const std::vector<void*> rest = take(tested, capacity - theirs);
        const bool was_enough = tested.statistics().capacity == capacity;
        give_back(tested, rest);
        give_back(tested, take(tested, capacity));
        tested.release_thread_cache();
        EXPECT_EQ(tested.statistics().cached, theirs);
        expect_conserved(tested, 0);
        return was_enough;
    }));
    other.reset();
    expect_conserved(tested, 0);
    EXPECT_EQ(tested.statistics().cached, 0U);
}

TEST(a_pool_in_a_forked_child, can_be_destroyed_there_and_a_new_one_made) {
    auto inherited = std::make_unique<pool>(forked());
    give_back(*inherited, take(*inherited, 20));
    EXPECT_TRUE(holds_in_a_child([&] {
        inherited.reset();
        pool fresh(forked());
        const std::vector<void*> blocks = take(fresh, 300);
        for (void* block : blocks) contracts::mark(block, 600);
        for (void* block : blocks) {
            if (!contracts::is_marked(block, 600)) return false;
        }
        give_back(fresh, blocks);
        expect_conserved(fresh, 0);
        return true;
    }));
    give_back(*inherited, take(*inherited, 20));
    expect_conserved(*inherited, 0);
}

// More stacks than the C library keeps for further threads: a child gives some of its parent's
// threads' back to the system.
constexpr int many_threads = 12;

void use_on_threads(int threads, const std::function<void()>& work) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
    for (std::thread& thread : workers) thread.join();
}

TEST(a_pool_in_a_forked_child, serves_threads_of_the_child_and_is_destroyed_after_them) {
    if (detail::under_thread_sanitizer)
        return tests::does_not_apply("the thread sanitizer knows no threads in forked children");
    auto tested = std::make_unique<pool>(forked());
    const auto use = [&] { give_back(*tested, take(*tested, 12)); };
    use();
    const workers_of_the_parent workers(many_threads, use);
    EXPECT_TRUE(holds_in_a_child([&] {
        use_on_threads(many_threads, use);
        expect_conserved(*tested, 0);
        tested.reset();
        pool fresh(forked());
        use_on_threads(many_threads, [&] { give_back(fresh, take(fresh, 12)); });
        expect_conserved(fresh, 0);
        return true;
    }));
}

// The threads of the child get the stacks of the parent's, and with them the places of variables
// that its pools knew.
TEST(a_common_pool_in_a_forked_child, lets_threads_of_the_child_end_and_the_child_itself) {
    if (detail::under_thread_sanitizer)
        return tests::does_not_apply("the thread sanitizer knows no threads in forked children");
    if (detail::under_address_sanitizer)
        return tests::does_not_apply(
            "the address sanitizer takes what was those threads' for leaks");
    using tested = common_pool<104>;
    const auto use = [] { tested::deallocate(tested::allocate()); };
    use();
    const workers_of_the_parent workers(2, use);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);  // for a child that does not come to its end
        use_on_threads(2, use);
        use_on_threads(2, use);
        std::exit(0);  // with the destructors of this thread's variables
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

// The calling thread uses the pool while it is the only one. Then another thread holds the pool's
// lock most of the time, and the first one forks without a further slow path.
TEST(a_common_pool_in_a_forked_child, is_whole_though_it_was_first_used_before_other_threads) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers do not keep their own locks across a fork");
    using tested = common_pool<112>;
    constexpr std::size_t blocks = 4 * tested::magazine_size;
    const auto use = [] {
        std::vector<void*> taken(blocks);
        for (void*& block : taken) block = tested::allocate();
        for (void* const block : taken) tested::deallocate(block);
    };
    use();
    std::atomic<bool> ending = false;
    std::thread other([&] {
        while (!ending) {
            use();
            static_cast<void>(trim_common_pools());
        }
    });
    bool holds = true;
    for (int i = 0; i < 300 && holds; ++i) {
        holds = holds_in_a_child([&] {
            ::alarm(60);  // for a child that waits for a thread that it does not have
            use();
            return true;
        });
    }
    EXPECT_TRUE(holds);
    ending = true;
    other.join();
}

}  // namespace
}  // namespace freehold::pool_fork_test
