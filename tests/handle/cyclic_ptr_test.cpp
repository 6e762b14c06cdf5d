// SPDX-License-Identifier: BSL-1.0
// What cyclic_ptr promises beyond the contract of all owning handles: weak pointers, rings,
// threads, destructors.
#include <freehold/handle/cyclic_ptr.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::cyclic_ptr_test {
namespace {

static_assert(sizeof(cyclic_ptr<int>) == 2 * sizeof(void*));
static_assert(sizeof(weak_cyclic_ptr<int>) == 2 * sizeof(void*));
static_assert(sizeof(detail::cyclic_node) == 24);
static_assert(std::is_convertible_v<cyclic_ptr<int>, weak_cyclic_ptr<const int>>);
static_assert(!std::is_convertible_v<weak_cyclic_ptr<const int>, weak_cyclic_ptr<int>>);

struct node {
    explicit node(int* deaths_ = nullptr) : deaths(deaths_) {}
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    ~node() {
        if (deaths) ++*deaths;
    }
    void trace(edge_visitor& visit) { visit(left, right); }
    int* deaths;
    cyclic_ptr<node> left, right;
};

void make_ring(int* deaths = nullptr) {
    const auto one = make_cyclic<node>(deaths);
    const auto other = make_cyclic<node>(deaths);
    one->left = other;
    other->left = one;
}

TEST(a_ring, is_collected_and_counted) {
    int deaths = 0;
    make_ring(&deaths);
    EXPECT_EQ(deaths, 0);
    EXPECT_EQ(collect_cycles(), 2U);
    EXPECT_EQ(deaths, 2);
    EXPECT_EQ(collect_cycles(), 0U);
}

TEST(a_ring, of_one_is_collected_however_it_was_closed) {
    int deaths = 0;
    {
        const auto copied = make_cyclic<node>(&deaths);
        copied->left = copied;
    }
    {
        auto moved = make_cyclic<node>(&deaths);
        node& object = *moved;
        object.left = std::move(moved);
    }
    {
        cyclic_ptr<node> adopted(new node(&deaths));
        node& object = *adopted;
        object.right.swap(adopted);
    }
    EXPECT_EQ(deaths, 0);
    EXPECT_EQ(collect_cycles(), 3U);
    EXPECT_EQ(deaths, 3);
}

TEST(a_ring, closed_by_moves_alone_is_collected) {
    int deaths = 0;
    {
        auto one = make_cyclic<node>(&deaths);
        auto other = make_cyclic<node>(&deaths);
        collect_cycles();  // both are known to live now
        node& first = *one;
        node& second = *other;
        first.left = std::move(other);
        second.left = std::move(one);
    }
    EXPECT_EQ(collect_cycles(), 2U);
    EXPECT_EQ(deaths, 2);
}

TEST(a_ring, that_something_outside_holds_stays) {
    int deaths = 0;
    auto inside = make_cyclic<node>(&deaths);
    inside->left = make_cyclic<node>(&deaths);
    inside->left->left = inside;
    {
        const auto holder = make_cyclic<node>();
        holder->right = std::exchange(inside, nullptr);
        EXPECT_EQ(collect_cycles(), 0U);
        EXPECT_EQ(deaths, 0);
    }
    EXPECT_EQ(collect_cycles(), 2U);
}

TEST(a_ring, takes_what_hangs_from_it_along) {
    int deaths = 0;
    {
        const auto object = make_cyclic<node>(&deaths);
        object->left = object;
        object->right = make_cyclic<node>(&deaths);
        object->right->left = make_cyclic<node>(&deaths);
    }
    collect_cycles();
    EXPECT_EQ(deaths, 3);
}

TEST(a_million_rings, are_collected_by_themselves_while_they_are_made) {
    int deaths = 0;
    constexpr int rings = 1'000'000;
    const std::size_t examined = current_cycle_statistics().examined;
    for (int i = 0; i < rings; ++i) {
        make_ring(&deaths);
        ASSERT_LT(current_cycle_statistics().objects, 10'000U);
    }
    collect_cycles();
    EXPECT_EQ(deaths, 2 * rings);
    EXPECT_LE(current_cycle_statistics().examined - examined, 3U * rings) << "not linear";
}

TEST(a_million_rings, are_collected_in_one_linear_collection) {
    set_automatic_cycle_collection(false);
    int deaths = 0;
    constexpr int rings = 1'000'000;
    for (int i = 0; i < rings; ++i) make_ring(&deaths);
    EXPECT_EQ(deaths, 0);
    const std::size_t examined = current_cycle_statistics().examined;
    EXPECT_EQ(collect_cycles(), 2U * rings);
    EXPECT_LE(current_cycle_statistics().examined - examined, 3U * rings) << "not linear";
    set_automatic_cycle_collection(true);
}

TEST(a_collection, does_not_walk_live_objects_that_are_no_candidates) {
    std::vector<cyclic_ptr<node>> live(100'000);
    for (auto& each : live) each = make_cyclic<node>();
    collect_cycles();
    const std::size_t examined = current_cycle_statistics().examined;
    int deaths = 0;
    for (int i = 0; i < 1000; ++i) make_ring(&deaths);
    collect_cycles();
    EXPECT_EQ(deaths, 2000);
    EXPECT_LE(current_cycle_statistics().examined - examined, 3000U);
}

cyclic_ptr<node> make_list(int length) {
    auto head = make_cyclic<node>();
    for (int i = 1; i < length; ++i) {
        auto next = make_cyclic<node>();
        next->left = std::move(head);
        head = std::move(next);
    }
    return head;
}

TEST(a_slice, does_not_walk_what_a_live_head_leads_to_again_and_again) {
    constexpr int length = 200'000;
    const auto head = make_list(length);
    const std::size_t examined = current_cycle_statistics().examined;
    constexpr int rings = 100'000;  // hundreds of slices
    for (int i = 0; i < rings; ++i) {
        static_cast<void>(cyclic_ptr<node>(head));
        make_ring();
    }
    EXPECT_LE(current_cycle_statistics().examined - examined, 4U * rings + 10U * length);
}

TEST(a_slice, keeps_to_its_budget_among_live_objects) {
    auto head = make_list(100'000);
    head->right = head;
    for (int i = 0; i < 100'000; ++i) {
        static_cast<void>(cyclic_ptr<node>(head));
        const std::size_t examined = current_cycle_statistics().examined;
        collect_cycles(std::size_t{100});
        ASSERT_LE(current_cycle_statistics().examined - examined, 110U);
    }
    EXPECT_GE(current_cycle_statistics().objects, 100'000U);
    head->right.reset();
}

TEST(slices, find_garbage_that_is_old) {
    int deaths = 0;
    auto head = make_cyclic<node>(&deaths);
    for (int i = 0; i < 1000; ++i) {
        auto next = make_cyclic<node>(&deaths);
        next->left = head;
        next->right = next;
        head = std::move(next);
    }
    collect_cycles();  // all of it is old now
    EXPECT_EQ(deaths, 0);
    head.reset();
    std::size_t ended = 0;
    for (int i = 0; i < 10'000 && ended == 0; ++i) ended += collect_cycles(std::size_t{100});
    for (int i = 0; i < 10'000 && deaths != 1001; ++i) collect_cycles(std::size_t{100});
    EXPECT_EQ(deaths, 1001);
}

TEST(slices, come_to_an_end_by_the_clock) {
    int deaths = 0;
    for (int i = 0; i < 100; ++i) make_ring(&deaths);
    EXPECT_EQ(collect_cycles(std::chrono::hours(1)), 200U);
    EXPECT_EQ(collect_cycles(std::chrono::hours(1)), 0U);
    EXPECT_EQ(deaths, 200);
}

TEST(a_long_chain, neither_dies_nor_is_collected_on_a_deep_stack) {
    constexpr int length = 1'000'000;
    make_list(length).reset();
    EXPECT_EQ(current_cycle_statistics().objects, 0U);
    {
        const auto last = make_cyclic<node>();
        auto head = last;
        for (int i = 1; i < length; ++i) {
            auto next = make_cyclic<node>();
            next->left = std::move(head);
            head = std::move(next);
        }
        last->left = head;
    }
    collect_cycles();
    EXPECT_EQ(current_cycle_statistics().objects, 0U);
}

TEST(a_weak_cyclic_ptr, locks_until_its_object_dies) {
    weak_cyclic_ptr<node> weak, other;
    EXPECT_TRUE(weak.expired());
    EXPECT_EQ(weak.lock(), nullptr);
    {
        const auto object = make_cyclic<node>();
        weak = object;
        other = weak;
        EXPECT_FALSE(weak.expired());
        EXPECT_EQ(weak.use_count(), 1);
        const auto locked = other.lock();
        EXPECT_EQ(locked, object);
        EXPECT_EQ(object.use_count(), 2);
    }
    EXPECT_TRUE(weak.expired());
    EXPECT_EQ(other.lock(), nullptr);
    EXPECT_EQ(weak.use_count(), 0);
    const auto moved = std::move(weak);
    EXPECT_TRUE(weak.expired());
    EXPECT_TRUE(moved.expired());
}

TEST(a_weak_cyclic_ptr, brings_back_a_ring_that_was_not_collected_yet) {
    int deaths = 0;
    weak_cyclic_ptr<node> weak;
    {
        const auto object = make_cyclic<node>(&deaths);
        object->left = object;
        weak = object;
    }
    auto locked = weak.lock();
    ASSERT_NE(locked, nullptr);
    EXPECT_EQ(collect_cycles(), 0U);
    locked.reset();
    EXPECT_EQ(collect_cycles(), 1U);
    EXPECT_TRUE(weak.expired());
}

struct virtual_base {
    virtual ~virtual_base() = default;
};
struct with_virtual_base : virtual virtual_base {};

TEST(a_weak_cyclic_ptr, converts_only_what_is_alive) {
    auto object = make_cyclic<with_virtual_base>();
    const weak_cyclic_ptr<with_virtual_base> derived = object;
    const weak_cyclic_ptr<virtual_base> base = derived;
    EXPECT_EQ(base.lock(), object);
    object.reset();
    EXPECT_TRUE(weak_cyclic_ptr<virtual_base>(derived).expired());
}

struct alignas(64) wide {
    cyclic_ptr<wide> self;
    char bytes[3000];
};

TEST(make_cyclic, obeys_alignment_and_size) {
    {
        const auto object = make_cyclic<wide>();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(object.get()) % 64, 0U);
        object->self = object;
    }
    EXPECT_EQ(collect_cycles(), 1U);
    struct alignas(32) narrow {
        char byte;
    };
    const auto a = make_cyclic<narrow>(), b = make_cyclic<narrow>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.get()) % 32, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.get()) % 32, 0U);
}

TEST(make_cyclic, initialises_aggregates_and_const_objects) {
    struct point {
        int x, y;
    };
    const auto p = make_cyclic<const point>(1, 2);
    EXPECT_EQ(p->x + p->y, 3);
    EXPECT_EQ(*make_cyclic<int>(), 0);
}

TEST(make_cyclic, leaves_nothing_behind_when_a_constructor_throws) {
    struct throwing {
        explicit throwing(cyclic_ptr<node> p) : held(std::move(p)) {
            throw std::runtime_error("no");
        }
        cyclic_ptr<node> held;
    };
    const std::size_t before = current_cycle_statistics().objects;
    EXPECT_THROW(static_cast<void>(make_cyclic<throwing>(make_cyclic<node>())), std::runtime_error);
    EXPECT_EQ(current_cycle_statistics().objects, before);
}

struct heir {
    explicit heir(cyclic_ptr<node>& testament_) : testament(testament_) {}
    heir(const heir&) = delete;
    heir& operator=(const heir&) = delete;
    ~heir() {
        seen_null = peer == nullptr;
        testament = make_cyclic<node>();
        make_ring();
        EXPECT_EQ(collect_cycles(), 0U);
    }
    void trace(edge_visitor& visit) { visit(peer); }
    cyclic_ptr<node>& testament;
    cyclic_ptr<heir> peer;
    static inline bool seen_null = false;
};

TEST(a_destructor, may_make_objects_and_finds_no_object_that_is_collected_with_it) {
    cyclic_ptr<node> testament;
    {
        const auto one = make_cyclic<heir>(testament);
        const auto other = make_cyclic<heir>(testament);
        one->peer = other;
        other->peer = one;
    }
    EXPECT_EQ(collect_cycles(), 6U);  // and the two rings that they left
    EXPECT_TRUE(heir::seen_null);
    EXPECT_TRUE(testament.unique());
}

TEST(a_thread, collects_when_it_ends) {
    int deaths = 0;
    std::thread([&] {
        const auto before_the_heap_ends = make_cyclic<node>(&deaths);
        make_ring(&deaths);
        EXPECT_EQ(current_cycle_statistics().objects, 3U);
    }).join();
    EXPECT_EQ(deaths, 3);
}

thread_local cyclic_ptr<node> last_of_its_thread;
thread_local weak_cyclic_ptr<node> weak_of_its_thread;

TEST(a_thread, may_end_before_its_thread_locals_let_go) {
    int deaths = 0;
    std::thread([&] {
        // Constructed before the heap, destroyed after its clean-up.
        last_of_its_thread = nullptr;
        weak_of_its_thread.reset();
        last_of_its_thread = make_cyclic<node>(&deaths);
        last_of_its_thread->left = make_cyclic<node>(&deaths);
        weak_of_its_thread = last_of_its_thread->left;
    }).join();
    EXPECT_EQ(deaths, 2);
}

TEST(every_thread, has_a_heap_of_its_own) {
    const auto mine = make_cyclic<node>();
    std::thread([] { EXPECT_EQ(current_cycle_statistics().objects, 0U); }).join();
    EXPECT_GE(current_cycle_statistics().objects, 1U);
}

}  // namespace
}  // namespace freehold::cyclic_ptr_test
