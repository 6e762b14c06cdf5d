// SPDX-License-Identifier: BSL-1.0
// Sharing out and gathering. Where there are no shards, the same counts are ordinary, and what the
// tests say of owners still holds.
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include "count/shards_in_tests.hpp"
#include "death_tests.hpp"
#include "skip.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests::sharded_count_test {
namespace {

using count = sharded_count_with_weak;

template <class Work>
void elsewhere(Work work) {
    std::thread(work).join();
}

// Runs on a thread of its own for each processor that this process may use.
template <class Work>
void on_each_processor(Work work) {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
    for (int processor = 0; processor != CPU_SETSIZE; ++processor) {
        if (!CPU_ISSET(processor, &usable)) continue;
        elsewhere([&] {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            static_cast<void>(sched_setaffinity(0, sizeof one, &one));
            work();
        });
    }
}

class sharded_counts : public testing::Test {
protected:
    count shared{std::in_place_type<int>};
};

TEST_F(sharded_counts, are_ordinary_until_they_are_shared_out) {
    EXPECT_FALSE(shared.is_shared_out());
    shared.increment();
    EXPECT_EQ(shared.value(), 2);
    shared.share_out();
    EXPECT_EQ(shared.is_shared_out(), there_are_shards());
    EXPECT_TRUE(sharded_count::has_shards || !shared.is_shared_out());
    EXPECT_EQ(shared.decrement(), remaining::owners);
    EXPECT_TRUE(shared.value() > 1 || !shared.is_shared_out()) << "an owner could write in place";
    shared.gather();
    EXPECT_FALSE(shared.is_shared_out());
    EXPECT_EQ(shared.value(), 1);
    EXPECT_EQ(shared.decrement(), remaining::nothing);
}

TEST_F(sharded_counts, are_exact_after_threads_ended_that_had_copied_or_released) {
    constexpr int copies = 1000;
    shared.share_out();
    on_each_processor([&] {
        for (int i = 0; i != copies; ++i) shared.increment();
    });
    on_each_processor([&] {
        for (int i = 0; i != copies; ++i) ASSERT_EQ(shared.decrement(), remaining::owners);
    });
    shared.increment();
    on_each_processor([&] {
        for (int i = 0; i != copies; ++i) shared.increment();
    });
    elsewhere([&] {
        for (int i = 0; i != copies; ++i) ASSERT_EQ(shared.decrement(), remaining::owners);
    });
    shared.gather();
    const std::int64_t left = shared.value();
    EXPECT_EQ((left - 2) % copies, 0);
    for (std::int64_t i = 1; i != left; ++i) ASSERT_EQ(shared.decrement(), remaining::owners);
    EXPECT_EQ(shared.decrement(), remaining::nothing);
}

TEST_F(sharded_counts, count_in_the_ordinary_count_on_processors_without_a_row) {
    if (!sharded_count::has_shards) return does_not_apply("this build has no shards");
    if (!there_are_shards()) return skip_without("rseq", "this system has no shards");
    shared.share_out();
    shared.increment();
    const detail::shard_rows rows = detail::rows_of_shards;
    detail::rows_of_shards = detail::shard_rows(rows.first(), 0);
    shared.increment();
    EXPECT_EQ(shared.decrement(), remaining::owners);
    EXPECT_EQ(shared.decrement(), remaining::owners);
    EXPECT_TRUE(shared.try_increment());
    detail::rows_of_shards = rows;
    EXPECT_EQ(shared.decrement(), remaining::owners);
    shared.gather();
    EXPECT_EQ(shared.value(), 1);
}

TEST_F(sharded_counts, are_gathered_by_the_last_of_several_gathers) {
    shared.share_out();
    const bool are = shared.is_shared_out();
    shared.share_out();
    shared.increment();
    shared.gather();
    EXPECT_EQ(shared.is_shared_out(), are);
    shared.gather();
    EXPECT_FALSE(shared.is_shared_out());
    shared.gather();
    EXPECT_EQ(shared.value(), 2);
}

TEST_F(sharded_counts, start_with_nothing_in_a_place_that_another_left) {
    for (int i = 0; i != 100; ++i) {
        shared.share_out();
        shared.increment();
        on_each_processor([&] { shared.increment(); });
        shared.gather();
        while (shared.value() != 1) ASSERT_EQ(shared.decrement(), remaining::owners);
        count other(std::in_place_type<int>);
        other.share_out();
        other.gather();
        ASSERT_EQ(other.value(), 1);
    }
}

TEST_F(sharded_counts, lock_weak_references_as_long_as_there_are_owners) {
    shared.increment_weak();
    shared.share_out();
    shared.increment_weak();
    EXPECT_TRUE(shared.try_increment());
    EXPECT_EQ(shared.decrement(), remaining::owners);
    EXPECT_FALSE(shared.decrement_weak());
    shared.gather();
    EXPECT_EQ(shared.decrement(), remaining::weak_references);
    EXPECT_FALSE(shared.try_increment());
    EXPECT_FALSE(shared.decrement_weak());
    EXPECT_TRUE(shared.decrement_weak());
}

TEST_F(sharded_counts, count_the_owners_of_one_holder_together) {
    shared.share_out();
    shared.increment_held(1);
    shared.increment_held(2);
    EXPECT_EQ(shared.decrement_held(3), remaining::owners);
    shared.gather();
    EXPECT_EQ(shared.value(), 1);
    EXPECT_EQ(shared.decrement(), remaining::nothing);
}

TEST_F(sharded_counts, stay_ordinary_once_all_places_are_taken) {
    constexpr std::size_t places = 65'535;
    std::vector<std::unique_ptr<sharded_count>> all(places);
    for (auto& each : all) {
        each = std::make_unique<sharded_count>(1);
        each->share_out();
        each->increment();
    }
    shared.share_out();
    EXPECT_FALSE(shared.is_shared_out());
    shared.increment();
    EXPECT_EQ(shared.decrement(), remaining::owners);
    for (const auto& each : all) {
        each->gather();
        ASSERT_EQ(each->value(), 2);
    }
    shared.gather();
    shared.share_out();
    EXPECT_EQ(shared.is_shared_out(), there_are_shards());
    shared.gather();
    EXPECT_EQ(shared.value(), 1);
}

TEST_F(sharded_counts, stay_ordinary_if_there_is_no_room_for_the_anchor) {
    sharded_count full((std::int64_t{1} << 29) + 1);
    full.share_out();
    EXPECT_FALSE(full.is_shared_out());
    sharded_count nearly(std::int64_t{1} << 29);
    nearly.share_out();
    EXPECT_EQ(nearly.is_shared_out(), there_are_shards());
    nearly.gather();
    EXPECT_EQ(nearly.value(), std::int64_t{1} << 29);
}

TEST_F(sharded_counts, terminate_where_the_shards_have_too_many_owners) {
    if (!sharded_count::has_shards) return does_not_apply("this build has no shards");
    if (!there_are_shards()) return skip_without("rseq", "this system has no shards");
    tests::run_death_tests_in_new_processes();
    const auto copy_too_often = [](std::int64_t owners) {
        count all(std::in_place_type<int>);
        all.share_out();
        all.increment_held(owners);
        all.gather();
    };
    EXPECT_DEATH(copy_too_often(std::int64_t{1} << 34),
                 "freehold: a count of owners has overflowed");
}

// In a process of its own, where no count was shared out before.
TEST_F(sharded_counts, stay_ordinary_without_memory_for_shards) {
    tests::run_death_tests_in_new_processes();
    const auto share_out_without_memory = [] {
        const rlimit none{1 << 20, 1 << 20};
        if (setrlimit(RLIMIT_AS, &none) != 0) std::exit(2);
        count owners(std::in_place_type<int>);
        owners.share_out();
        owners.increment();
        const bool right = !owners.is_shared_out() && owners.value() == 2;
        owners.gather();
        _exit(right && owners.value() == 2 ? 0 : 1);
    };
    EXPECT_EXIT(share_out_without_memory(), testing::ExitedWithCode(0), "");
}

TEST_F(sharded_counts, are_gathered_in_a_child_made_by_fork) {
    shared.share_out();
    shared.increment();
    elsewhere([&] { EXPECT_EQ(shared.decrement(), remaining::owners); });
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);
        shared.increment();
        shared.gather();
        bool right = shared.value() == 2;
        right = right && shared.decrement() == remaining::owners;
        count another(std::in_place_type<int>);
        another.share_out();
        elsewhere([&] { another.increment(); });
        another.gather();
        right = right && another.value() == 2 && shared.decrement() == remaining::nothing;
        _exit(right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    shared.gather();
    EXPECT_EQ(shared.value(), 1);
}

int living = 0;
struct observed {
    observed() { ++living; }
    ~observed() { --living; }
};
struct intrusively_observed : intrusive_base<intrusively_observed, sharded_count>, observed {};

// The ways to make an object that an anchor keeps.
struct in_shared_ptr {
    static auto make() { return make_shared<observed, sharded_count>(); }
};
struct in_pointer_block {
    static auto make() { return shared_ptr<observed, sharded_count>(new observed); }
};
struct in_arc {
    static auto make() { return make_arc<observed, sharded_count>(); }
};
struct in_arc_of_array {
    static auto make() { return make_arc<observed[], sharded_count>(1); }
};
struct in_intrusive_ptr {
    static auto make() { return intrusive_ptr<intrusively_observed>(new intrusively_observed); }
};

template <class Maker>
class an_anchor : public testing::Test {
protected:
    using handle = decltype(Maker::make());
};
using makers =
    testing::Types<in_shared_ptr, in_pointer_block, in_arc, in_arc_of_array, in_intrusive_ptr>;
TYPED_TEST_SUITE(an_anchor, makers);

TYPED_TEST(an_anchor, shares_out_as_long_as_it_lives) {
    auto owner = TypeParam::make();
    {
        const anchor kept(owner);
        EXPECT_EQ(kept.is_shared_out(), there_are_shards());
        EXPECT_EQ(kept.get(), owner);
        owner.reset();
        elsewhere([copy = kept.get()]() mutable { copy.reset(); });
        owner = kept.get();
    }
    EXPECT_EQ(living, 1);
    owner.reset();
    EXPECT_EQ(living, 0);
}

TYPED_TEST(an_anchor, is_an_owner_and_lets_the_object_die) {
    {
        const anchor kept(TypeParam::make());
        EXPECT_EQ(living, 1);
    }
    EXPECT_EQ(living, 0);
}

TYPED_TEST(an_anchor, is_moved) {
    anchor first(TypeParam::make());
    const bool are = first.is_shared_out();
    anchor second(std::move(first));
    EXPECT_EQ(second.is_shared_out(), are);
    EXPECT_FALSE(first.is_shared_out());
    EXPECT_EQ(living, 1);
    second = anchor(TypeParam::make());
    EXPECT_EQ(living, 1);
    second = std::move(first);
    EXPECT_EQ(living, 0);
}

TYPED_TEST(an_anchor, of_nothing_does_nothing) {
    const anchor kept(typename TestFixture::handle{});
    EXPECT_FALSE(kept.is_shared_out());
    EXPECT_EQ(kept.get(), nullptr);
}

TYPED_TEST(an_anchor, shares_with_other_anchors) {
    auto owner = TypeParam::make();
    {
        const anchor first(owner);
        { const anchor second(owner); }
        EXPECT_EQ(first.is_shared_out(), there_are_shards());
    }
    EXPECT_FALSE(anchor(typename TestFixture::handle{}).is_shared_out());
    owner.reset();
    EXPECT_EQ(living, 0);
}

struct arcs_in_atomic {
    using atomic = atomic_arc<observed, sharded_count>;
    static auto make() { return in_arc::make(); }
};
struct shared_in_atomic {
    using atomic = atomic_shared_ptr<observed, sharded_count>;
    static auto make() { return in_shared_ptr::make(); }
};

template <class Kind>
class an_atomic_pointer : public testing::Test {
protected:
    template <class Handle>
    static bool is_shared_out(const Handle& owner) {
        return detail::counts_owned_by(owner)->is_shared_out();
    }
};
using kinds = testing::Types<arcs_in_atomic, shared_in_atomic>;
TYPED_TEST_SUITE(an_atomic_pointer, kinds);

TYPED_TEST(an_atomic_pointer, shares_out_what_it_holds_and_gathers_what_it_gives_up) {
    const bool are = there_are_shards();
    auto first = TypeParam::make(), second = TypeParam::make(), third = TypeParam::make();
    {
        typename TypeParam::atomic place(first);
        EXPECT_EQ(this->is_shared_out(first), are);
        place.store(second);
        EXPECT_FALSE(this->is_shared_out(first));
        EXPECT_EQ(this->is_shared_out(second), are);
        EXPECT_EQ(first.use_count(), 1);

        auto expected = first;
        EXPECT_FALSE(place.compare_exchange_strong(expected, third));
        EXPECT_FALSE(this->is_shared_out(third));
        EXPECT_TRUE(place.compare_exchange_strong(expected, third));
        EXPECT_FALSE(this->is_shared_out(second));
        EXPECT_EQ(this->is_shared_out(third), are);

        int calls = 0;
        place.update([&](const auto&) {
            // The first answer comes too late.
            if (++calls == 1) place.store(second);
            return calls == 1 ? third : first;
        });
        EXPECT_EQ(calls, 2);
        EXPECT_FALSE(this->is_shared_out(second));
        EXPECT_FALSE(this->is_shared_out(third));
        EXPECT_EQ(this->is_shared_out(first), are);

        typename TypeParam::atomic other(first);
        EXPECT_EQ(place.exchange(first), first);
        other.store(nullptr);
        EXPECT_EQ(this->is_shared_out(first), are) << "the other place holds it";
    }
    for (auto* owner : {&first, &second, &third}) {
        EXPECT_FALSE(this->is_shared_out(*owner));
        owner->reset();
    }
    EXPECT_EQ(living, 0);
}

// What an object's destructor shares out and gathers is not stopped by its own gathering.
TEST(anchors, are_made_and_destroyed_by_destructors) {
    struct parent {
        anchor<arc<observed, sharded_count>> child{make_arc<observed, sharded_count>()};
        ~parent() { const anchor another(child.get()); }
    };
    { const anchor kept(make_shared<parent, sharded_count>()); }
    EXPECT_EQ(living, 0);
}

}  // namespace
}  // namespace freehold::tests::sharded_count_test
