// SPDX-License-Identifier: BSL-1.0
// A library that counted in shards is unloaded while its threads live and its objects are shared
// out. The kernel reads a thread's descriptor of a sequence with each signal. If the descriptor lay
// in the library, the kernel would end the process.
#include "count/unloaded_library.hpp"

#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>

#include "count/shards_in_tests.hpp"

#include <atomic>
#include <cstdint>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

namespace freehold::tests::unloaded_library_test {
namespace {

volatile sig_atomic_t signals_seen = 0;

// Sends a signal to the calling thread, and returns after its handler.
void interrupt_this_thread() {
    EXPECT_EQ(::pthread_kill(::pthread_self(), SIGUSR1), 0);
}

class an_unloaded_library : public testing::TestWithParam<bool> {
protected:
    an_unloaded_library() {
        struct sigaction wanted = {};
        wanted.sa_handler = [](int) { signals_seen = 1; };
        ::sigaction(SIGUSR1, &wanted, &before_);
    }
    ~an_unloaded_library() override { ::sigaction(SIGUSR1, &before_, nullptr); }

    void load() {
        library_ = ::dlopen(FREEHOLD_UNLOADED_LIBRARY, RTLD_NOW);
        ASSERT_NE(library_, nullptr) << ::dlerror();
        const auto offered = reinterpret_cast<unloaded_library_function>(
            ::dlsym(library_, "functions_of_unloaded_library"));
        ASSERT_NE(offered, nullptr) << ::dlerror();
        functions_ = offered();
    }

    void* library_ = nullptr;
    const unloaded_library* functions_ = nullptr;

private:
    struct sigaction before_ = {};
};

// A thread that waits in the kernel loses its descriptor. So the threads spin, and each runs
// several rounds: in most of them, no thread is preempted between its last copy and its signal.
TEST_P(an_unloaded_library, leaves_no_thread_with_its_sequences_and_no_count_wrong) {
    constexpr int times = 1000;
    const bool has_rows = GetParam();
    for (int round = 0; round != 50; ++round) {
        ASSERT_NO_FATAL_FAILURE(load());
        signals_seen = 0;
        const owner_across_libraries owner = make_shared<int, sharded_count>(7);
        functions_->use_an_object_of_its_own(times);
        functions_->share_out(owner);
        ASSERT_EQ(detail::counts_owned_by(owner)->is_shared_out(), there_are_shards());

        // Without a row for their processor, sequences end without an addition.
        const detail::shard_rows rows = detail::rows_of_shards;
        if (!has_rows) detail::rows_of_shards = detail::shard_rows(rows.first(), 0);
        std::atomic<bool> has_copied{false}, is_unloaded{false};
        std::thread other([&] {
            functions_->copy_and_release(owner, times);
            has_copied.store(true);
            while (!is_unloaded.load()) {
            }
            interrupt_this_thread();
            for (int i = 0; i != times; ++i) const owner_across_libraries copy = owner;
        });
        while (!has_copied.load()) {
        }
        functions_->copy_and_release(owner, times);
        const int failure = ::dlclose(library_);
        interrupt_this_thread();
        is_unloaded.store(true);
        other.join();
        detail::rows_of_shards = rows;

        EXPECT_EQ(failure, 0);
        EXPECT_EQ(::dlopen(FREEHOLD_UNLOADED_LIBRARY, RTLD_NOW | RTLD_NOLOAD), nullptr)
            << "the library is still there";
        EXPECT_EQ(signals_seen, 1);
        detail::counts_owned_by(owner)->gather();
        EXPECT_EQ(owner.use_count(), 1);
    }
}
INSTANTIATE_TEST_SUITE_P(with_and_without_rows, an_unloaded_library, testing::Bool());

}  // namespace
}  // namespace freehold::tests::unloaded_library_test
