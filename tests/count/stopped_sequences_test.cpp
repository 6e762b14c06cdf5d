// SPDX-License-Identifier: BSL-1.0
// A thread that copies or releases an object that is shared out, stopped before each instruction.
// Meanwhile the object is gathered, or the thread goes to another processor.
#include <freehold/count/sharded_count.hpp>

#include "count/shards_in_tests.hpp"
#include "skip.hpp"

#include <gtest/gtest.h>

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
#include "count/stopped_child.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <sched.h>
#endif

namespace freehold::tests::stopped_sequences_test {
namespace {

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES

struct with_weak : sharded_count_with_weak {
    with_weak() : sharded_count_with_weak(std::in_place_type<int>) {}
};
struct without_weak : sharded_count {
    without_weak() : sharded_count(1) {}
};

/// Copies the first owner, which another thread has.
template <class Count>
struct a_copy {
    Count count;
    static constexpr int owners_after = 2;

    void prepare() { count.share_out(); }
    [[gnu::noinline]] void operate() { count.increment(); }
};

template <class Count>
struct a_release {
    Count count;
    static constexpr int owners_after = 1;

    void prepare() {
        count.share_out();
        count.increment();
    }
    [[gnu::noinline]] void operate() { static_cast<void>(count.decrement()); }
};

template <class Operation>
struct while_gathered : Operation {
    void meanwhile() { this->count.gather(); }
    bool is_right() {
        return !this->count.is_shared_out() && this->count.value() == Operation::owners_after;
    }
};

std::optional<std::array<std::size_t, 2>> find_two_processors() {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) return std::nullopt;
    std::array<std::size_t, 2> two{};
    std::size_t found = 0;
    for (std::size_t i = 0; i != CPU_SETSIZE && found != 2; ++i)
        if (CPU_ISSET(i, &usable)) two[found++] = i;
    return found == 2 ? std::optional(two) : std::nullopt;
}

/// Two processors that this process may use. The first call finds them: the child's thread, which
/// is moved, may use only one.
const std::optional<std::array<std::size_t, 2>>& two_processors() {
    static const auto two = find_two_processors();
    return two;
}

void move(pid_t thread, std::size_t processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    static_cast<void>(sched_setaffinity(thread, sizeof one, &one));
}

/// What all counts have on one processor.
std::int64_t owners_on(std::size_t processor) {
    const std::size_t row = detail::shard_columns << detail::log2_of_shard_size;
    const auto* const shards =
        reinterpret_cast<const detail::shard*>(detail::rows_of_shards.first() + processor * row);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i != detail::shard_columns; ++i)
        sum += shards[i].counted - shards[i].given_up;
    return sum;
}

/// A thread may add to the shard of its own processor only.
template <class Operation>
struct while_moved : Operation {
    void prepare() {
        move(0, processors[0]);
        Operation::prepare();
    }
    void meanwhile() {
        on_first = owners_on(processors[0]);
        move(getpid(), processors[1]);
    }
    bool is_right() {
        const bool unchanged = owners_on(processors[0]) == on_first;
        this->count.gather();
        return unchanged && this->count.value() == Operation::owners_after;
    }

    const std::array<std::size_t, 2> processors = *two_processors();
    std::int64_t on_first = 0;
};

template <class Operation>
class stopped_sequences : public testing::Test {
protected:
    template <class Scene>
    static void are_right_at_each_instruction() {
        if (!there_are_shards()) return skip_without("rseq", "this system has no shards");
        const std::optional<stops> seen = stop_at_each_instruction<Scene>();
        if (!seen) return skip_without("ptrace", "a process may not trace another one");
        constexpr std::size_t of_a_sequence = 8;
        EXPECT_GE(seen->instructions, of_a_sequence);
        EXPECT_EQ(seen->wrong, std::vector<std::size_t>()) << "stopped before these instructions";
    }
};

using operations = testing::Types<a_copy<with_weak>, a_release<with_weak>, a_copy<without_weak>,
                                  a_release<without_weak>>;
TYPED_TEST_SUITE(stopped_sequences, operations);

TYPED_TEST(stopped_sequences, lose_nothing_to_a_gathering) {
    TestFixture::template are_right_at_each_instruction<while_gathered<TypeParam>>();
}

TYPED_TEST(stopped_sequences, count_on_the_processor_to_which_their_thread_was_moved) {
    if (!two_processors()) return skip_without("processors", "needs two processors");
    TestFixture::template are_right_at_each_instruction<while_moved<TypeParam>>();
}

#else

TEST(stopped_sequences, are_in_other_builds) {
    does_not_apply("this build has no restartable sequences");
}

#endif

}  // namespace
}  // namespace freehold::tests::stopped_sequences_test
