// SPDX-License-Identifier: BSL-1.0
// Forks while another thread of the process is about to use Freehold for the first time. The child
// lacks that thread, so it must not wait for what the thread had begun.
#include <freehold/freehold.hpp>

#include "skip.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::first_use_beside_forks_test {
namespace {

struct use {
    const char* name;
    std::function<void()> act;
};
void PrintTo(const use& printed, std::ostream* out) {
    *out << printed.name;
}

struct text_of {
    template <class Param>
    std::string operator()(const Param& param) const {
        return param.param.name;
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

class first_use : public testing::TestWithParam<use> {};

TEST_P(first_use, does_not_stop_a_child) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers do not keep their own locks across a fork");
    for (int i = 0; i < 60; ++i) {
        const pid_t fresh = ::fork();
        if (fresh == 0) ::_exit(fork_beside_first_use(GetParam()) ? 0 : 1);
        ASSERT_TRUE(ended_well(fresh)) << "in process " << i;
    }
}

pool a_pool({.block_size = 64});
buffer_cache a_buffer_cache;
atomic_shared_ptr<int> a_place;

INSTANTIATE_TEST_SUITE_P(
    of, first_use,
    testing::Values(use{"common_pools", [] { static_cast<void>(make_shared<int>(1)); }},
                    use{"pools", [] { a_pool.deallocate(a_pool.allocate()); }},
                    use{"buffer_caches", [] { static_cast<void>(a_buffer_cache.get(10'000)); }},
                    use{"biased_counts", [] { static_cast<void>(make_arc<int, biased_count>(1)); }},
                    use{"atomic_pointers_read", [] { static_cast<void>(a_place.load()); }},
                    use{"atomic_pointers_written", [] { a_place.store(make_shared<int>(2)); }},
                    use{"conversions",
                        [] { static_cast<void>(shared_ptr<int>(make_arc<int>(3))); }}),
    text_of());

}  // namespace
}  // namespace freehold::first_use_beside_forks_test
