// SPDX-License-Identifier: BSL-1.0
// Processes and threads that end while static and thread-local objects own handles, in orders that
// a seed chooses. Their destructors copy, release and make further objects. Each process is a child
// that must exit with 0.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/freehold.hpp>

#include "skip.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::last_destructors_test {
namespace {

// How many objects are alive, and whether one was seen without its contents.
std::atomic<std::int64_t> alive = 0;

struct content {
    static constexpr std::uint64_t whole = 0x5ca1ab1e;
    std::uint64_t mark = whole;
    content() noexcept { ++alive; }
    content(const content&) = delete;
    content& operator=(const content&) = delete;
    ~content() {
        if (std::exchange(mark, 0) != whole) std::abort();
        --alive;
    }
};
struct cycle : content {
    cyclic_ptr<cycle> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

// Neither is ever destroyed: it must outlive all that uses it.
pool& blocks() {
    static pool& lasting = *new pool({.block_size = 64, .magazine_size = 4, .name = "lasting"});
    return lasting;
}
buffer_cache<>& buffers() {
    static buffer_cache<>& lasting = *new buffer_cache<>;
    return lasting;
}

// Its destructor makes, copies and releases handles of each kind, also after the library's own
// thread-local objects have been destroyed.
class user_of_all {
public:
    user_of_all() noexcept {}
    user_of_all(const user_of_all&) = delete;
    user_of_all& operator=(const user_of_all&) = delete;
    ~user_of_all() {
        for (int i = 0; i < 20; ++i) {
            const auto shared = make_shared<content>();
            const weak_ptr<content> watched = shared;
            const auto more = std::pair(make_arc<content>(), make_shared<content, biased_count>());
            const auto copies = std::pair(shared, more);
            const auto cyclic = std::pair(make_cyclic<cycle>(), make_cyclic<cycle>());
            cyclic.first->next = cyclic.second;
            const buffer got = buffers().get(100);
            blocks().deallocate(blocks().allocate());
            if (watched.lock()->mark != content::whole ||
                copies.second.first->mark != content::whole ||
                copies.second.second->mark != content::whole)
                std::abort();
        }
    }
};

// Also owns one of each kind that any thread may release.
class owner_of_all : user_of_all {
public:
    owner_of_all() { std::memset(block_, 9, 64); }
    owner_of_all(const owner_of_all&) = delete;
    owner_of_all& operator=(const owner_of_all&) = delete;
    ~owner_of_all() {
        if (*static_cast<unsigned char*>(block_) != 9 || watched_.lock() != shared_ ||
            arc_->mark != content::whole || biased_->mark != content::whole)
            std::abort();
        blocks().deallocate(block_);
    }

private:
    shared_ptr<content> shared_ = make_shared<content>();
    weak_ptr<content> watched_ = shared_;
    arc<content> arc_ = make_arc<content>();
    shared_ptr<content, biased_count> biased_ = make_shared<content, biased_count>();
    buffer buffer_ = buffers().get(200);
    void* block_ = blocks().allocate();
};

// Each is made when it is first asked for. They are destroyed in the opposite order.
template <int>
void make_static() {
    static owner_of_all made;
}
template <int>
void make_thread_local() {
    static thread_local owner_of_all made;
    static thread_local const cyclic_ptr<cycle> cyclic = make_cyclic<cycle>();
}
void make_late_user() {
    static thread_local user_of_all made;
}
void use_once() {
    { const auto made = make_shared<content>(); }
    blocks().deallocate(blocks().allocate());
}
void use_atomic() {
    static atomic_shared_ptr<content> current;
    current.store(make_shared<content>());
    const auto seen = current.snapshot();
    if (seen->mark != content::whole) std::abort();
}
void leave_garbage() {
    const auto cyclic = make_cyclic<cycle>();
    cyclic->next = cyclic;
}

void do_in_some_order(std::uint64_t seed, bool with_statics) {
    std::vector<void (*)()> steps = {&make_thread_local<0>, &make_thread_local<1>,
                                     &make_late_user,       &use_once,
                                     &use_atomic,           &leave_garbage};
    if (with_statics) steps.insert(steps.end(), {&make_static<0>, &make_static<1>});
    std::mt19937_64 random(seed);
    std::shuffle(steps.begin(), steps.end(), random);
    for (auto* const step : steps) step();
}

[[noreturn]] void live_and_exit(std::uint64_t seed) {
    ::alarm(60);
    std::mt19937_64 random(seed);
    if (random() % 2 == 0) do_in_some_order(random(), true);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([of_thread = random(), i] { do_in_some_order(of_thread, i == 0); });
    }
    if (random() % 2 == 0) do_in_some_order(random(), true);
    for (std::thread& each : threads) each.join();
    if (random() % 2 == 0) do_in_some_order(random(), true);
    std::exit(0);
}

TEST(last_destructors, may_use_handles_pools_and_caches_in_any_order) {
    if (detail::under_thread_sanitizer)
        return tests::does_not_apply("the thread sanitizer knows no threads in forked children");
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) live_and_exit(seed);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status)) << "with seed " << seed << " by " << WTERMSIG(status);
        ASSERT_EQ(WEXITSTATUS(status), 0) << "with seed " << seed;
    }
}

// Threads that end while others go on: nothing is lost, nothing dies twice.
TEST(last_destructors, of_threads_leave_nothing) {
    const std::int64_t before = alive;
    std::mt19937_64 random(3);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([seed = random()] { do_in_some_order(seed, false); });
        }
        for (std::thread& each : threads) each.join();
    }
    EXPECT_LE(alive - before, 1);  // what the atomic owns
    EXPECT_EQ(blocks().statistics().in_use, 0U);
    EXPECT_LE(blocks().statistics().threads.size(), 1U);  // the calling thread
    EXPECT_EQ(buffers().statistics().in_use, 0U);
    buffers().trim();
    EXPECT_EQ(buffers().statistics().idle, 0U);  // no thread cache is left
}

}  // namespace
}  // namespace freehold::last_destructors_test
