// SPDX-License-Identifier: BSL-1.0
// prefetch, release and share over spans of arcs: what they do is what the same calls on each
// handle do, whatever counts the owners.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>

#include "death_tests.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::arc_bursts_test {
namespace {

struct counted {
    static inline int alive = 0;
    explicit counted(int number = 0) : value(number) { ++alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { --alive; }
    int value;
};

// A destructor that does what it is told.
struct last_words {
    explicit last_words(std::function<void()> what) : action(std::move(what)) {}
    last_words(const last_words&) = delete;
    last_words& operator=(const last_words&) = delete;
    ~last_words() { action(); }
    std::function<void()> action;
};

template <class Count>
class bursts_of_arcs : public testing::Test {
protected:
    using handle = arc<counted, Count>;
    using talker = arc<last_words, Count>;

    void SetUp() override { counted::alive = 0; }
    void TearDown() override { EXPECT_EQ(counted::alive, 0); }

    static std::vector<handle> make(std::size_t length) {
        std::vector<handle> made;
        for (std::size_t i = 0; i < length; ++i)
            made.push_back(make_arc<counted, Count>(static_cast<int>(i)));
        return made;
    }
    template <class Handles>
    static void expect_empty(const Handles& handles) {
        for (const auto& each : handles) EXPECT_EQ(each, nullptr);
    }
};

using counts = testing::Types<local_count, atomic_count, biased_count>;
TYPED_TEST_SUITE(bursts_of_arcs, counts);

TYPED_TEST(bursts_of_arcs, release_ends_each_object_once_and_empties_the_handles) {
    for (const std::size_t length : {0U, 1U, 7U, 8U, 9U, 64U, 65U, 200U}) {
        auto handles = this->make(length);
        prefetch(std::span(handles));
        release(std::span(handles));
        this->expect_empty(handles);
        EXPECT_EQ(counted::alive, 0);
    }
}

TYPED_TEST(bursts_of_arcs, may_hold_null) {
    std::array<typename TestFixture::handle, 4> handles;
    handles[2] = make_arc<counted, TypeParam>(5);
    prefetch(std::span<const typename TestFixture::handle>(handles));
    std::array<typename TestFixture::handle, 4> copies;
    copies[0] = make_arc<counted, TypeParam>(6);
    share(std::span(handles), std::span(copies));
    EXPECT_EQ(copies[0], nullptr) << "it became a copy of null";
    EXPECT_EQ(copies[2], handles[2]);
    release(std::span(handles));
    EXPECT_EQ(counted::alive, 1);
    release(std::span(copies));
    this->expect_empty(handles);
    this->expect_empty(copies);
}

TYPED_TEST(bursts_of_arcs, release_counts_neighbours_together_and_others_too) {
    const auto made = this->make(3);
    std::vector<typename TestFixture::handle> handles = {made[0], made[0], made[0], made[1],
                                                         nullptr, made[0], made[2], made[2]};
    EXPECT_EQ(made[0].use_count(), 5);
    release(std::span(handles).first(2));
    EXPECT_EQ(made[0].use_count(), 3);
    release(std::span(handles));
    for (const auto& each : made) EXPECT_EQ(each.use_count(), 1);
    this->expect_empty(handles);
}

TYPED_TEST(bursts_of_arcs, release_ends_an_object_of_which_it_has_all_handles) {
    for (const int neighbours : {1, 2, 5}) {
        auto one = make_arc<counted, TypeParam>();
        std::vector<typename TestFixture::handle> handles(static_cast<std::size_t>(neighbours),
                                                          one);
        handles.push_back(make_arc<counted, TypeParam>());
        handles.push_back(std::move(one));
        EXPECT_EQ(counted::alive, 2);
        release(std::span(handles));
        EXPECT_EQ(counted::alive, 0);
    }
}

TYPED_TEST(bursts_of_arcs, weak_references_outlive_a_burst) {
    auto handles = this->make(2);
    handles.push_back(handles[1]);
    const weak_arc<counted, TypeParam> first(handles[0]), second(handles[1]);
    std::vector<typename TestFixture::handle> copies(3);
    share(std::span(handles), std::span(copies));
    release(std::span(handles));
    EXPECT_EQ(first.lock()->value, 0);
    EXPECT_EQ(second.lock(), copies[2]);
    release(std::span(copies));
    EXPECT_EQ(counted::alive, 0);
    EXPECT_TRUE(first.expired() && second.expired());
    EXPECT_EQ(second.lock(), nullptr);
}

TYPED_TEST(bursts_of_arcs, share_copies_and_lets_go_of_what_was_there) {
    auto handles = this->make(5);
    handles[2] = handles[1];
    auto copies = this->make(7);
    const auto kept = copies[0];
    share(std::span(handles), std::span(copies));
    EXPECT_EQ(counted::alive, 4 + 1 + 2);
    EXPECT_EQ(kept.use_count(), 1);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        EXPECT_EQ(copies[i], handles[i]);
        EXPECT_EQ(handles[i].use_count(), i == 1 || i == 2 ? 4 : 2);
    }
    EXPECT_EQ(copies[6]->value, 6) << "behind the last of `from`";
    share(std::span(handles), std::span(copies));
    EXPECT_EQ(handles[0].use_count(), 2);
    release(std::span(handles), std::span(copies));
    EXPECT_EQ(counted::alive, 1);
}

TYPED_TEST(bursts_of_arcs, two_spans_are_released_together) {
    auto handles = this->make(70);
    std::vector<typename TestFixture::handle> copies(80);
    share(std::span(handles), std::span(copies));
    const auto kept = copies[3];
    copies[5] = nullptr;
    handles[6] = nullptr;
    copies[7] = make_arc<counted, TypeParam>();
    copies[75] = make_arc<counted, TypeParam>();
    release(std::span(handles), std::span(copies));
    EXPECT_EQ(counted::alive, 1);
    EXPECT_TRUE(kept.unique());
    this->expect_empty(handles);
    this->expect_empty(copies);
}

TYPED_TEST(bursts_of_arcs, share_terminates_without_room) {
    tests::run_death_tests_in_new_processes();
    const auto share_with_too_few = [this] {
        auto handles = this->make(3);
        std::vector<typename TestFixture::handle> copies(2);
        share(std::span(handles), std::span(copies));
    };
    EXPECT_DEATH(share_with_too_few(),
                 "freehold: share was asked to copy more handles than there is room for");
}

// A destructor that comes back to the span which releases it.
TYPED_TEST(bursts_of_arcs, release_may_be_re_entered) {
    using arc_of_words = typename TestFixture::talker;
    int ended = 0;
    std::vector<arc_of_words> handles(12);
    const auto make = [&ended](std::function<void()> action) {
        return make_arc<last_words, TypeParam>([&ended, action] {
            ++ended;
            action();
        });
    };
    const auto nothing = [] {};
    for (arc_of_words& each : handles) each = make(nothing);
    const arc_of_words before_and_behind = make(nothing);
    handles[3] = make([&] {
        EXPECT_EQ(handles[3], nullptr) << "emptied before its object ends";
        EXPECT_EQ(handles[2], nullptr);
        handles[2] = before_and_behind;
        handles[7] = before_and_behind;
        handles[8].reset();
        release(std::span(handles).last(2));
    });
    release(std::span(handles));
    EXPECT_EQ(handles[2], before_and_behind) << "assigned behind the release's back";
    EXPECT_EQ(before_and_behind.use_count(), 2);
    EXPECT_EQ(ended, 13) << "those of the span, and the one that was replaced";
    handles[2].reset();
    this->expect_empty(handles);
}

TYPED_TEST(bursts_of_arcs, share_may_be_re_entered) {
    using arc_of_words = typename TestFixture::talker;
    std::vector<arc_of_words> handles(4), copies(4);
    const auto nothing = [] {};
    for (arc_of_words& each : handles) each = make_arc<last_words, TypeParam>(nothing);
    const arc_of_words second = handles[1];
    copies[1] = make_arc<last_words, TypeParam>([&] {
        handles[1].reset();
        copies[3] = second;
        copies[1].reset();
    });
    share(std::span(handles), std::span(copies));
    EXPECT_EQ(copies[0], handles[0]);
    EXPECT_EQ(copies[1], nullptr);
    EXPECT_EQ(copies[3], handles[3]);
    EXPECT_TRUE(second.unique());
}

TYPED_TEST(bursts_of_arcs, hold_arrays_and_objects_with_virtual_functions) {
    std::array<arc<counted[], TypeParam>, 3> rows;
    rows[0] = make_arc<counted[], TypeParam>(5);
    rows[1] = rows[0];
    auto row_copies = rows;
    prefetch(std::span(rows));
    share(std::span(rows), std::span(row_copies));
    EXPECT_EQ(rows[0].use_count(), 4);
    release(std::span(rows), std::span(row_copies));
    EXPECT_EQ(counted::alive, 0);

    struct shape {
        virtual ~shape() = default;
    };
    struct square final : shape {
        counted number;
    };
    std::array<arc<shape, TypeParam>, 3> shapes, shape_copies;
    shapes[1] = make_arc<square, TypeParam>();
    shapes[2] = make_arc<shape, TypeParam>();
    prefetch(std::span(shapes));
    share(std::span(shapes), std::span(shape_copies));
    release(std::span(shapes));
    EXPECT_EQ(counted::alive, 1);
    release(std::span(shape_copies));
}

// An allocator that takes blocks back in bulk, and says how.
struct bulk_log {
    std::vector<std::size_t> bulks;
    int single = 0;
    int lent = 0;
};
template <class T>
class bulk_allocator {
public:
    using value_type = T;
    explicit bulk_allocator(bulk_log& log) noexcept : log_(&log) {}
    template <class U>
    bulk_allocator(const bulk_allocator<U>& other) noexcept : log_(other.log()) {}
    [[nodiscard]] bulk_log* log() const noexcept { return log_; }

    [[nodiscard]] T* allocate(std::size_t n) {
        ++log_->lent;
        return std::allocator<T>().allocate(n);
    }
    void deallocate(T* place, std::size_t n) noexcept {
        ++log_->single;
        give_back(place, n);
    }
    void deallocate_bulk(std::span<void* const> places) noexcept {
        log_->bulks.push_back(places.size());
        for (void* const place : places) give_back(static_cast<T*>(place), 1);
    }
    template <class U>
    bool operator==(const bulk_allocator<U>& other) const noexcept {
        return log_ == other.log();
    }

private:
    void give_back(T* place, std::size_t n) noexcept {
        --log_->lent;
        std::allocator<T>().deallocate(place, n);
    }
    bulk_log* log_;
};

TYPED_TEST(bursts_of_arcs, give_blocks_back_in_bulk) {
    bulk_log here, there;
    std::vector<arc<long, TypeParam, bulk_allocator<long>>> handles;
    for (int i = 0; i < 150; ++i)
        handles.push_back(allocate_arc<long, TypeParam>(bulk_allocator<long>(here), i));
    for (int i = 0; i < 3; ++i)
        handles.push_back(allocate_arc<long, TypeParam>(bulk_allocator<long>(there), i));
    const auto kept = handles[149];
    release(std::span(handles));
    EXPECT_EQ(here.bulks, (std::vector<std::size_t>{64, 64, 21}));
    EXPECT_EQ(there.bulks, (std::vector<std::size_t>{3}));
    EXPECT_EQ(here.lent, 1) << "what is kept";
    EXPECT_EQ(here.single + there.single + there.lent, 0);
}

// A destructor that allocates must find the memory of the objects before it.
TYPED_TEST(bursts_of_arcs, give_blocks_back_one_by_one_if_destructors_look) {
    bulk_log log;
    std::vector<arc<last_words, TypeParam, bulk_allocator<long>>> handles(5);
    int lent = 5;
    for (auto& each : handles) {
        each = allocate_arc<last_words, TypeParam>(bulk_allocator<long>(log),
                                                   [&] { EXPECT_EQ(log.lent, lent--); });
    }
    release(std::span(handles));
    EXPECT_EQ(lent, 0);
    EXPECT_EQ(log.single, 5);
    EXPECT_TRUE(log.bulks.empty());
}

}  // namespace
}  // namespace freehold::arc_bursts_test
