// SPDX-License-Identifier: BSL-1.0
// Forks while another thread of the process is about to use Freehold for the first time. The child
// lacks that thread, so it must not wait for what the thread had begun.
#include <freehold/freehold.hpp>

#include "line/unforked_descriptor.hpp"
#include "skip.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::first_use_beside_forks_test {
namespace {

struct use {
    std::string_view name;
    std::function<void()> act;
};
void PrintTo(const use& printed, std::ostream* out) {
    *out << printed.name;
}

struct text_of {
    template <class Param>
    std::string operator()(const Param& param) const {
        return std::string(param.param.name);
    }
};

bool ended_well(pid_t child) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// In a process that has not used Freehold. Returns whether its children end.
bool fork_beside_first_use(const use& tried) {
    std::atomic<bool> stop = false;
    std::thread other([&] {
        while (!stop) tried.act();
    });
    bool is_well = true;
    for (int i = 0; i < 4; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(20);
            tried.act();
            ::_exit(0);
        }
        is_well = ended_well(child) && is_well;
    }
    stop = true;
    other.join();
    return is_well;
}

pool a_pool({.block_size = 64});
buffer_cache a_buffer_cache;
atomic_shared_ptr<int> a_place;

const std::vector<use> uses = {
    {"common_pools", [] { static_cast<void>(make_shared<int>(1)); }},
    {"pools", [] { a_pool.deallocate(a_pool.allocate()); }},
    {"buffer_caches", [] { static_cast<void>(a_buffer_cache.get(10'000)); }},
    {"biased_counts", [] { static_cast<void>(make_arc<int, biased_count>(1)); }},
    {"atomic_pointers_read", [] { static_cast<void>(a_place.load()); }},
    {"atomic_pointers_written", [] { a_place.store(make_shared<int>(2)); }},
    {"conversions", [] { static_cast<void>(shared_ptr<int>(make_arc<int>(3))); }},
    {"descriptors", [] { detail::unforked_descriptor([] { return ::open("/", O_RDONLY); }); }},
};

// What another library registers around fork(). While its first function runs, another thread uses
// Freehold.
struct other_library {
    static inline const use* tried = nullptr;
    static inline bool uses_it_too = false;
    static inline std::atomic<bool> has_begun = false;
    static inline std::atomic<int> uses_by_other_thread = 0;

    static void before() {
        has_begun = true;
        for (int i = 0; i < 50 && uses_by_other_thread < 100; ++i) ::usleep(100);
        use_it();
    }
    static void in_child() {
        ::alarm(10);
        use_it();
    }
    static void use_it() {
        if (uses_it_too) tried->act();
    }
};

// In a process that has not used Freehold. Both threads use pools and biased counts before the
// fork, and what is tried first during it. Returns whether the child ends.
bool fork_during_first_use(const use& tried, bool registers_last) {
    other_library::tried = &tried;
    other_library::uses_it_too = registers_last;
    const auto register_it = [] {
        return ::pthread_atfork(&other_library::before, &other_library::use_it,
                                &other_library::in_child) == 0;
    };
    if (!registers_last && !register_it()) return false;
    std::atomic<bool> stop = false;
    std::atomic<bool> is_ready = false;
    const auto use_others = [&] {
        a_pool.deallocate(a_pool.allocate());
        if (tried.name != "biased_counts") static_cast<void>(make_arc<int, biased_count>(1));
        if (tried.name != "common_pools") static_cast<void>(make_shared<int>(1));
    };
    std::thread other([&] {
        use_others();
        is_ready = true;
        while (!other_library::has_begun) std::this_thread::yield();
        while (!stop) {
            tried.act();
            ++other_library::uses_by_other_thread;
        }
    });
    use_others();
    while (!is_ready) std::this_thread::yield();
    if (registers_last && !register_it()) return false;
    const pid_t child = ::fork();
    if (child == 0) {
        tried.act();
        ::_exit(0);
    }
    const bool is_well = ended_well(child);
    stop = true;
    other.join();
    return is_well;
}

// A new process for each attempt.
void expect_to_end_well(int processes, const std::function<bool()>& attempt) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers do not keep their own locks across a fork");
    for (int i = 0; i < processes; ++i) {
        const pid_t fresh = ::fork();
        if (fresh == 0) {
            ::alarm(30);
            ::_exit(attempt() ? 0 : 1);
        }
        ASSERT_TRUE(ended_well(fresh)) << "in process " << i;
    }
}

class first_use : public testing::TestWithParam<use> {};

TEST_P(first_use, does_not_stop_a_child) {
    expect_to_end_well(60, [] { return fork_beside_first_use(GetParam()); });
}

TEST_P(first_use, during_a_fork_does_not_stop_a_child) {
    expect_to_end_well(100, [] { return fork_during_first_use(GetParam(), false); });
}

// Such a library uses Freehold before it registers its functions. They run while no lock is held.
TEST_P(first_use, by_functions_around_a_fork_does_not_stop_a_child) {
    expect_to_end_well(100, [] { return fork_during_first_use(GetParam(), true); });
}

INSTANTIATE_TEST_SUITE_P(of, first_use, testing::ValuesIn(uses), text_of());

}  // namespace
}  // namespace freehold::first_use_beside_forks_test
