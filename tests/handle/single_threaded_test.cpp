// SPDX-License-Identifier: BSL-1.0
// Handles that count plainly while a process has one thread, and atomically since it started a
// second. Each test runs in a child of its own, because a process does not become single-threaded
// again; the test's own process starts no thread.
#include <freehold/count/atomic_count.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/detail/single_threaded.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "death_tests.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

namespace freehold::single_threaded_test {
namespace {

std::atomic<int> alive{0};

struct object : intrusive_base<object> {
    object() noexcept { ++alive; }
    object(const object&) = delete;
    object& operator=(const object&) = delete;
    ~object() { --alive; }
};

struct aware : enable_shared_from_this<aware> {
    aware() noexcept { ++alive; }
    aware(const aware&) = delete;
    aware& operator=(const aware&) = delete;
    ~aware() { --alive; }
};

// One of every handle that counts with an atomic count.
struct all_handles {
    shared_ptr<object> shared = make_shared<object>();
    weak_ptr<object> weak = shared;
    arc<object> whole = make_arc<object>();
    weak_arc<object> weak_whole = whole;
    intrusive_ptr<object> intrusive{new object};
    counted_ptr<object, atomic_count> counted{new object};
    shared_ptr<aware> self = make_shared<aware>();

    static constexpr int objects = 5;

    [[nodiscard]] bool have_owners(long owners) const {
        return shared.use_count() == owners && whole.use_count() == owners &&
               intrusive.use_count() == owners && counted.use_count() == owners &&
               self.use_count() == owners && weak.use_count() == owners;
    }
    // Uses every operation that counts.
    [[nodiscard]] bool work() const {
        for (int i = 0; i < 2000; ++i) {
            const all_handles copy = *this;
            const auto locked = copy.weak.lock();
            const auto locked_whole = copy.weak_whole.lock();
            const auto self_again = copy.self->shared_from_this();
            const weak_ptr<aware> weak_self = self_again;
            if (locked != shared || locked_whole != whole || weak_self.lock() != self) return false;
        }
        return true;
    }
};

// Whether the work, done in a child, ended well. The child leaves without its parent's destructors.
bool holds_in_a_child(const std::function<bool()>& work) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What threads do with handles that were made, copied and released before there were threads.
bool survives_threads(const all_handles& handles) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&wrong, mine = handles] {
            if (!mine.work()) ++wrong;
        });
    if (!handles.work()) ++wrong;
    for (std::thread& each : threads) each.join();
    return wrong == 0 && !detail::is_single_threaded();
}

TEST(single_threaded, is_known_where_glibc_tells) {
#if __has_include(<sys/single_threaded.h>)
    EXPECT_EQ(detail::is_single_threaded(), !detail::under_thread_sanitizer);
#else
    GTEST_SKIP() << "this platform does not tell";
#endif
}

TEST(single_threaded, counts_right_and_destroys_at_once) {
    EXPECT_TRUE(holds_in_a_child([] {
        const int before = alive;
        {
            all_handles handles;
            const all_handles copy = handles;
            if (!handles.have_owners(2) || !handles.work()) return false;
            handles = all_handles();
            if (!handles.have_owners(1) || !copy.have_owners(1)) return false;
            if (alive != before + 2 * all_handles::objects) return false;
        }
        return alive == before;
    }));
}

TEST(single_threaded, hands_its_counts_to_threads) {
    EXPECT_TRUE(holds_in_a_child([] {
        const int before = alive;
        {
            const all_handles never_copied, handles;
            const all_handles copy = handles;
            if (!survives_threads(handles) || !survives_threads(never_copied)) return false;
            if (!handles.have_owners(2) || !never_copied.have_owners(1)) return false;
        }
        return alive == before;
    }));
}

TEST(single_threaded, lets_the_last_owner_end_on_another_thread) {
    EXPECT_TRUE(holds_in_a_child([] {
        const int before = alive;
        auto handles = std::make_unique<all_handles>();
        auto copy = std::make_unique<all_handles>(*handles);
        std::thread other([owned = std::move(copy)]() mutable { owned.reset(); });
        handles.reset();
        other.join();
        return alive == before;
    }));
}

void* work_on_a_thread(void* handles) {
    return static_cast<const all_handles*>(handles)->work() ? handles : nullptr;
}

TEST(single_threaded, sees_a_thread_that_is_started_in_c) {
    EXPECT_TRUE(holds_in_a_child([] {
        all_handles handles;
        pthread_t thread;
        if (::pthread_create(&thread, nullptr, &work_on_a_thread, &handles) != 0) return false;
        const bool right = !detail::is_single_threaded() && handles.work();
        void* result = nullptr;
        return ::pthread_join(thread, &result) == 0 && right && result == &handles &&
               handles.have_owners(1);
    }));
    if (detail::under_thread_sanitizer) return;  // which does not know thrd_create
    EXPECT_TRUE(holds_in_a_child([] {
        all_handles handles;
        thrd_t thread;
        const auto start = [](void* argument) -> int {
            return work_on_a_thread(argument) != nullptr;
        };
        if (::thrd_create(&thread, start, &handles) != thrd_success) return false;
        const bool right = !detail::is_single_threaded() && handles.work();
        int result = 0;
        return ::thrd_join(thread, &result) == thrd_success && right && result == 1 &&
               handles.have_owners(1);
    }));
}

TEST(single_threaded, sees_a_thread_of_a_library_that_dlopen_loads) {
    EXPECT_TRUE(holds_in_a_child([] {
        all_handles handles;
        void* const library = ::dlopen(FREEHOLD_LIBRARY_THAT_STARTS_A_THREAD, RTLD_NOW);
        if (library == nullptr || !handles.work()) return false;
        using runner = int (*)(void* (*)(void*), void*);
        const auto run = reinterpret_cast<runner>(::dlsym(library, "run_on_a_thread"));
        return run != nullptr && run(&work_on_a_thread, &handles) == 0 &&
               !detail::is_single_threaded() && handles.work() && handles.have_owners(1);
    }));
}

TEST(single_threaded, counts_on_in_a_child_whichever_way_its_parent_counted) {
    const all_handles handles;
    EXPECT_TRUE(holds_in_a_child([&] { return handles.work() && survives_threads(handles); }));
    EXPECT_TRUE(holds_in_a_child([&] {
        if (!survives_threads(handles)) return false;
        // A child of a process that has had threads; the thread sanitizer refuses it threads.
        return holds_in_a_child([&] {
            return handles.work() && handles.have_owners(1) &&
                   (detail::under_thread_sanitizer || survives_threads(handles));
        });
    }));
}

// Handles of static storage: copied before main, by a function that exit calls, and by destructors
// that run after it. A wrong count ends the process with an error, which fails the run.
struct static_user {
    all_handles handles;
    all_handles copy = handles;

    static_user() { expect(handles.work() && handles.have_owners(2)); }
    ~static_user() {
        copy = all_handles();
        expect(handles.work() && handles.have_owners(1));
    }
    static_user(const static_user&) = delete;
    static_user& operator=(const static_user&) = delete;

    static void expect(bool right) {
        if (right) return;
        std::fputs("a static handle counts wrong\n", stderr);
        std::_Exit(1);
    }
    static static_user& instance() {
        static static_user only;
        return only;
    }
};
// exit calls the function before it destroys the handles, which were made before.
const bool used_before_main =
    (static_user::instance(),
     std::atexit([] { static_user::expect(static_user::instance().handles.work()); }) == 0);

TEST(single_threaded, counts_static_handles_before_main_and_at_exit) {
    EXPECT_TRUE(used_before_main);
    tests::run_death_tests_in_new_processes();
    EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "");
    const auto exit_with_threads = [] {
        if (survives_threads(static_user::instance().handles)) std::exit(0);
    };
    EXPECT_EXIT(exit_with_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace freehold::single_threaded_test
