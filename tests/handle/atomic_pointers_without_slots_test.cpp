// SPDX-License-Identifier: BSL-1.0
// Atomic pointers of threads for whose slots there is no memory: all operations work, and count.
// The linker gives the library the function below in place of posix_memalign.
#include "handle/atomic_kinds.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

thread_local bool refuses = false;
thread_local int refused = 0;

}  // namespace

extern "C" {
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    if (!refuses) return __real_posix_memalign(memory, alignment, size);
    ++refused;
    return ENOMEM;
}
}

namespace freehold::contracts {
namespace {

struct object {
    static inline int alive = 0;
    explicit object(int n) : number(n) { ++alive; }
    object(const object&) = delete;
    object& operator=(const object&) = delete;
    ~object() { --alive; }
    int number;
};

template <class Kind>
struct atomic_pointers_without_slots : testing::Test {
    using atomic = typename Kind::template atomic<object>;

    static auto made(int number) { return Kind::template make<object>(number); }

    // In a thread that has no slots, as no thread of the process has had any that it could leave.
    template <class Act>
    static void without_slots(Act act) {
        std::thread([&] {
            refuses = true;
            act();
            EXPECT_GT(refused, 0) << "the thread had slots";
        }).join();
    }
};
using kinds = testing::Types<arc_in_atomic<atomic_count>, arc_of_allocator_in_atomic,
                             shared_in_atomic<atomic_count>, acquired_in_std_atomic>;
TYPED_TEST_SUITE(atomic_pointers_without_slots, kinds);

TYPED_TEST(atomic_pointers_without_slots, load_and_store) {
    typename TestFixture::atomic place(this->made(1));
    this->without_slots([&] {
        const auto first = place.load();
        EXPECT_EQ(first->number, 1);
        EXPECT_EQ(first.use_count(), 2);
        place.store(this->made(2));
        EXPECT_EQ(first.use_count(), 1);
        EXPECT_EQ(place.exchange(this->made(3))->number, 2);
        auto expected = place.load();
        EXPECT_TRUE(place.compare_exchange_strong(expected, this->made(4)));
        EXPECT_FALSE(place.compare_exchange_strong(expected, this->made(5)));
        EXPECT_EQ(expected->number, 4);
        place.update([&](const auto& seen) { return this->made(seen->number + 10); });
        EXPECT_EQ(place.load()->number, 14);
    });
    EXPECT_EQ(object::alive, 1);
}

TYPED_TEST(atomic_pointers_without_slots, snapshots_count) {
    typename TestFixture::atomic place(this->made(1));
    this->without_slots([&] {
        auto snapshot = place.snapshot();
        EXPECT_EQ(place.load().use_count(), 3);
        place.store(this->made(2));
        EXPECT_EQ(object::alive, 2) << "a snapshot does not protect";
        EXPECT_EQ(snapshot->number, 1);
        snapshot = place.snapshot();
        EXPECT_EQ(object::alive, 1) << "an object does not die with its last snapshot";
    });
}

// In a process of its own, because its thread leaves slots for others.
TYPED_TEST(atomic_pointers_without_slots, memory_is_asked_for_again) {
    const pid_t child = fork();
    if (child == 0) {
        typename TestFixture::atomic place(this->made(1));
        this->without_slots([&] {
            const auto counted = place.snapshot();
            refuses = false;
            const auto owed = place.snapshot();
            EXPECT_EQ(place.load().use_count(), 3)
                << "the second snapshot counts, or the first does not";
        });
        EXPECT_EQ(object::alive, 1);
        std::_Exit(this->HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace freehold::contracts
