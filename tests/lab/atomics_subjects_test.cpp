// SPDX-License-Identifier: BSL-1.0
// What the suite `atomics` compares without further libraries does what a pointer must that several
// threads read and replace; and the suite finds one that does not.
#include "subjects/pointers/boost_atomic_shared_ptr.hpp"
#include "subjects/pointers/freehold_atomic_arc.hpp"
#include "subjects/pointers/freehold_atomic_arc_snapshot.hpp"
#include "subjects/pointers/freehold_atomic_shared_ptr.hpp"
#include "subjects/pointers/freehold_atomic_shared_ptr_snapshot.hpp"
#include "subjects/pointers/locked_pair.hpp"
#include "subjects/pointers/lower_bound.hpp"
#include "subjects/pointers/std_atomic_shared_ptr.hpp"
#include "subjects/pointers/std_mutex.hpp"
#include "subjects/pointers/std_shared_mutex.hpp"
#include "suites/atomics/scene.hpp"
#include "suites/atomics/storm.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace atomics_subjects_test {
namespace {

using namespace lab;
using atomics::scene;

/// A number; how many there are is counted.
class counted {
public:
    counted() noexcept : counted(0) {}
    counted(std::uint64_t value) noexcept : number(value) { ++alive; }
    counted(const counted& other) noexcept : counted(other.number) {}
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }

    std::uint64_t number;
    static inline std::atomic<int> alive = 0;
};

/// Calls `act` in a thread that reads and replaces.
template <class Subject, class Act>
void in_a_thread(Act&& act) {
    std::thread([&] {
        typename Subject::thread here;
        here.begin();
        act();
        here.end();
    }).join();
}

template <class Pointer>
std::uint64_t number_in(const Pointer& pointer) {
    std::uint64_t number = 0;
    pointer.read([&](const counted& seen) { number = seen.number; });
    return number;
}

template <class Subject>
class atomics_subject : public testing::Test {
protected:
    void SetUp() override {
        if constexpr (!installed<Subject>) GTEST_SKIP() << Subject::is.why_missing();
    }
};

using subjects =
    testing::Types<pointers::lower_bound, pointers::locked_pair, pointers::freehold_atomic_arc,
                   pointers::freehold_atomic_arc_snapshot, pointers::freehold_atomic_shared_ptr,
                   pointers::freehold_atomic_shared_ptr_snapshot, pointers::std_atomic_shared_ptr,
                   pointers::std_mutex, pointers::std_shared_mutex,
                   pointers::boost_atomic_shared_ptr>;

struct subject_names {
    template <class Subject>
    static std::string GetName(int) {
        std::string name = key_of(Subject::is.name);
        std::replace(name.begin(), name.end(), '.', '_');
        return name;
    }
};
TYPED_TEST_SUITE(atomics_subject, subjects, subject_names);

TYPED_TEST(atomics_subject, reads_what_was_stored_last) {
    if constexpr (installed<TypeParam>) {
        typename TypeParam::template pointer<counted> pointer;
        in_a_thread<TypeParam>([&] {
            EXPECT_EQ(number_in(pointer), 0u);
            pointer.store(7);
            EXPECT_EQ(number_in(pointer), 7u);
            pointer.update([](const counted& seen) { return counted(seen.number * 2); });
            EXPECT_EQ(number_in(pointer), 14u);
        });
    }
}

TYPED_TEST(atomics_subject, frees_every_object) {
    if constexpr (installed<TypeParam>) {
        in_a_thread<TypeParam>([] {
            typename TypeParam::template pointer<counted> pointer;
            for (std::uint64_t i = 0; i < 5000; ++i) pointer.store(i);
            pointer.update([](const counted& seen) { return seen; });
            EXPECT_GE(counted::alive, 1);
        });
        EXPECT_EQ(counted::alive, 0);
    }
}

TYPED_TEST(atomics_subject, loses_no_update) {
    // One that protects nothing may use an object again that another thread has read.
    if constexpr (installed<TypeParam> && TypeParam::protects) {
        constexpr std::uint64_t updates = 2000;
        scene<TypeParam> shared;
        const auto add = [&shared] {
            typename scene<TypeParam>::actor writer(shared);
            writer.begin();
            for (std::uint64_t i = 0; i < updates; ++i) writer.update();
            writer.end();
        };
        std::thread other(add);
        add();
        other.join();
        EXPECT_EQ(shared.value(), 2 * updates);
    }
}

TYPED_TEST(atomics_subject, is_read_whole_while_it_is_replaced) {
    if constexpr (installed<TypeParam>) {
        EXPECT_GT(atomics::slow_read_seconds<TypeParam>(), 0);
        EXPECT_GT(atomics::seconds_in_a_storm<TypeParam>(2, atomics::storm_role::writer), 0);
    }
}

/// Its objects are never whole.
struct torn : pointer_subject {
    static constexpr identity is = {.name = "torn", .family = family::other};

    template <class T>
    struct pointer {
        template <class Use>
        void read(Use&& use) const {
            use(T{1, 2});
        }
    };
};

TEST(atomics_scene, finds_an_object_that_is_not_whole) {
    scene<torn> shared;
    EXPECT_NO_THROW(shared.check());
    scene<torn>::actor(shared).read(1);
    EXPECT_THROW(shared.check(), std::logic_error);
}

}  // namespace
}  // namespace atomics_subjects_test
