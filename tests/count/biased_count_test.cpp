// SPDX-License-Identifier: BSL-1.0
// When a bias is used, when it is revoked, and when not; what becomes of it where threads end and
// processes fork. Where there are no restartable sequences, every object is counted atomically, and
// the counts are all that is checked.
#include <freehold/count/biased_count.hpp>

#include "count/bias_in_tests.hpp"
#include "skip.hpp"

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests::biased_count_test {
namespace {

using count = biased_count_with_weak;

template <class Tag>
std::unique_ptr<count> make() {
    return std::make_unique<count>(std::in_place_type<Tag>);
}

void copy_and_release(count& shared, int times = 1000) {
    for (int i = 0; i < times; ++i) {
        shared.increment();
        ASSERT_EQ(shared.decrement(), remaining::owners);
    }
}

TEST(biased_count, a_thread_has_one_record_for_each_type) {
    struct first {};
    struct second {};
    const auto a = make<first>(), b = make<first>(), c = make<second>();
    copy_and_release(*a);
    const int records = there_is_bias() ? 1 : 0;
    EXPECT_EQ(records_of<first>(), records);
    EXPECT_EQ(records_of<second>(), records);
    EXPECT_EQ(revocations_of<first>(), 0);
}

TEST(biased_count, an_object_that_is_moved_and_dropped_revokes_nothing) {
    struct tag {};
    const auto moved = make<tag>();
    copy_and_release(*moved);
    elsewhere([&] { EXPECT_EQ(moved->decrement(), remaining::nothing); });
    EXPECT_EQ(revocations_of<tag>(), 0);
}

TEST(biased_count, a_thread_is_revoked_once_for_all_its_objects_of_a_type) {
    struct tag {};
    struct untouched {};
    std::vector<std::unique_ptr<count>> before, after;
    for (int i = 0; i < 10; ++i) before.push_back(make<tag>());
    const auto other = make<untouched>();
    elsewhere([&] {
        for (const auto& object : before) copy_and_release(*object, 10);
    });
    for (int i = 0; i < 10; ++i) after.push_back(make<tag>());
    elsewhere([&] {
        for (const auto& object : after) copy_and_release(*object, 10);
    });
    for (const auto& object : before) copy_and_release(*object, 10);
    copy_and_release(*other);
    EXPECT_EQ(revocations_of<tag>(), there_is_bias() ? 1 : 0);
    EXPECT_EQ(revocations_of<untouched>(), 0);
    for (const auto& object : before) EXPECT_EQ(object->decrement(), remaining::nothing);
    for (const auto& object : after) EXPECT_EQ(object->decrement(), remaining::nothing);
}

TEST(biased_count, what_was_counted_before_a_revocation_counts_after_it) {
    struct tag {};
    const auto object = make<tag>();
    for (int i = 0; i < 5; ++i) object->increment();
    object->increment_weak();
    elsewhere([&] {
        EXPECT_EQ(object->value(), 6);
        EXPECT_TRUE(object->try_increment());
        EXPECT_EQ(object->value(), 7);
        for (int i = 0; i < 5; ++i) EXPECT_EQ(object->decrement(), remaining::owners);
    });
    EXPECT_EQ(object->value(), 2);
    EXPECT_EQ(object->decrement(), remaining::owners);
    EXPECT_EQ(object->decrement(), remaining::weak_references);
    elsewhere([&] { EXPECT_FALSE(object->try_increment()); });
    EXPECT_FALSE(object->decrement_weak());
    elsewhere([&] { EXPECT_TRUE(object->decrement_weak()); });
}

TEST(biased_count, what_is_shared_by_its_maker_revokes_nothing) {
    struct tag {};
    const auto alone = make<tag>(), copied = make<tag>(), weakly = make<tag>();
    copied->increment();
    weakly->increment_weak();
    for (const auto* object : {&alone, &copied, &weakly}) {
        (*object)->share();
        (*object)->share();
    }
    elsewhere([&] {
        for (const auto* object : {&alone, &copied, &weakly}) copy_and_release(**object);
        EXPECT_TRUE(weakly->try_increment());
    });
    for (const auto* object : {&alone, &copied, &weakly}) copy_and_release(**object);
    EXPECT_EQ(revocations_of<tag>(), 0);
    EXPECT_EQ(alone->value(), 1);
    EXPECT_EQ(copied->value(), 2);
    EXPECT_EQ(weakly->value(), 2);
    EXPECT_EQ(alone->decrement(), remaining::nothing);
    EXPECT_EQ(copied->decrement(), remaining::owners);
    EXPECT_EQ(copied->decrement(), remaining::nothing);
}

TEST(biased_count, may_be_shared_by_a_thread_that_did_not_make_it) {
    struct tag {};
    const auto object = make<tag>();
    elsewhere([&] { object->share(); });
    copy_and_release(*object);
    EXPECT_EQ(object->decrement(), remaining::nothing);
    EXPECT_EQ(revocations_of<tag>(), there_is_bias() ? 1 : 0);
}

TEST(biased_count, a_type_that_was_revoked_too_often_is_not_biased_any_more) {
    struct tag {};
    for (int i = 0; i < 2 * detail::most_revocations; ++i) {
        std::unique_ptr<count> object;
        elsewhere([&] {
            object = make<tag>();
            object->increment();
        });
        EXPECT_EQ(object->decrement(), remaining::owners);
        EXPECT_EQ(object->decrement(), remaining::nothing);
    }
    EXPECT_EQ(revocations_of<tag>(), there_is_bias() ? detail::most_revocations : 0);
    EXPECT_EQ(records_of<tag>(), there_is_bias() ? detail::most_revocations : 0);
}

TEST(biased_count, objects_outlive_the_threads_that_made_them) {
    struct tag {};
    std::vector<std::unique_ptr<count>> objects(8);
    for (auto& object : objects) {
        elsewhere([&] {
            object = make<tag>();
            copy_and_release(*object);
            object->increment();
        });
    }
    // Threads that have the addresses of those which ended, and a thread that has not.
    for (const auto& object : objects) elsewhere([&] { copy_and_release(*object); });
    for (const auto& object : objects) {
        copy_and_release(*object);
        EXPECT_EQ(object->decrement(), remaining::owners);
        elsewhere([&] { EXPECT_EQ(object->decrement(), remaining::nothing); });
    }
}

TEST(biased_count, a_thread_inherits_the_bias_of_its_address) {
    struct tag {};
    std::unique_ptr<count> object;
    const void* maker = nullptr;
    elsewhere([&] {
        object = make<tag>();
        maker = detail::restartable_platform::this_thread();
    });
    bool inherited = false;
    for (int i = 0; i < 100 && !inherited; ++i) {
        elsewhere([&] {
            if (detail::restartable_platform::this_thread() != maker) return;
            inherited = true;
            copy_and_release(*object);
            copy_and_release(*make<tag>());
        });
    }
    if (!inherited) return does_not_apply("no thread got the address of one that had ended");
    EXPECT_EQ(revocations_of<tag>(), 0);
    EXPECT_EQ(records_of<tag>(), there_is_bias() ? 1 : 0);
}

// A child has one thread; the locks and registrations that it needs must be in order, even where
// another thread of its parent was in the middle of something.
TEST(biased_count, a_child_made_by_fork_counts_and_revokes) {
    struct before {};
    struct after {};
    const auto mine = make<before>();
    mine->increment();
    std::unique_ptr<count> theirs;
    elsewhere([&] {
        theirs = make<before>();
        theirs->increment();
    });
    // From its second question on it allocates nothing: the address sanitizer's own locks, unlike
    // those of malloc, are not in order in a child.
    std::latch has_record(1);
    std::atomic<bool> stop{false};
    std::thread asking([&] {
        const auto ask = [] {
            static_cast<void>(detail::find_or_make_record(detail::biased_type_of<before>));
        };
        ask();
        has_record.count_down();
        while (!stop.load()) ask();
    });
    has_record.wait();
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        EXPECT_GE(child, 0) << "no child could be made";
        if (child < 0) break;
        if (child == 0) {
            alarm(60);
            bool right = mine->decrement() == remaining::owners;
            right = right && theirs->decrement() == remaining::owners;
            const auto made = make<after>();
            made->increment();
            elsewhere([&] { right = right && made->decrement() == remaining::owners; });
            right = right && made->decrement() == remaining::nothing;
            right = right && theirs->decrement() == remaining::nothing;
            _exit(right ? 0 : 1);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    }
    stop.store(true);
    asking.join();
    EXPECT_EQ(mine->value(), 2);
    EXPECT_EQ(theirs->value(), 2);
}

}  // namespace
}  // namespace freehold::tests::biased_count_test
