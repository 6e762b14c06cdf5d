// SPDX-License-Identifier: BSL-1.0
// What is advised on counted figures, and what each piece gains at given costs.
#include "handles/advice.hpp"

#include <cstdint>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::advice_test {
namespace {

using testing::HasSubstr;

constexpr operation_costs costs{.plain = 1,
                                .locked = 5,
                                .plain_in_variable = 0.5,
                                .locked_in_variable = 3,
                                .locking = 4,
                                .weak_lock = 7,
                                .allocation = 20};

counted_line line_of(const char* pointee, int number) {
    counted_line line;
    line.handle = "std::shared_ptr (libstdc++)";
    line.pointee = pointee;
    line.function = "work";
    line.file = "work.cpp";
    line.line = number;
    return line;
}

class handle_advice : public testing::Test {
protected:
    handle_advice() {
        run_.costs = costs;
        run_.counts.most_threads = 2;
    }

    std::size_t add(const counted_line& line) {
        run_.counts.lines.push_back(line);
        return run_.counts.lines.size() - 1;
    }

    handles_run run_;
};

TEST_F(handle_advice, prices_what_locks_and_what_does_not) {
    counted_line line = line_of("shape", 1);
    line.copies = 10;
    line.releases = 10;
    line.locks = 3;
    line.would_be_plain = 4;
    EXPECT_DOUBLE_EQ(nanoseconds_of(line, costs), 4 * 1 + 16 * 5 + 3 * 7);
}

TEST_F(handle_advice, has_the_prices_of_lines_and_types) {
    counted_line line = line_of("shape", 7);
    line.copies = line.releases = line.foreign = 1000;
    line.would_be_plain = 400;
    line.in_variables = 2000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at,
                                 .release = at,
                                 .count = 1000,
                                 .plain = 200,
                                 .distance = 1000,
                                 .in_variables = 1000});
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    constexpr double all = 400 * 0.5 + 1600 * 3;
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, all);
    EXPECT_DOUBLE_EQ(nanoseconds_of(line, costs), all);
    EXPECT_DOUBLE_EQ(types_of(run_).at(0).time.usual, all);
}

TEST_F(handle_advice, is_to_leave_out_a_pair) {
    counted_line line = line_of("shape", 7);
    line.copies = line.releases = 1000;
    line.foreign = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back(
        {.copy = at, .release = at, .count = 1000, .plain = 200, .distance = 1000});
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::removable_pair);
    EXPECT_EQ(given.pieces[0].sure, certainty::likely);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 2 * (200 * 1 + 800 * 5));
    EXPECT_THAT(given.pieces[0].code, HasSubstr("std::shared_ptr<shape>"));
}

TEST_F(handle_advice, is_withheld_where_copy_and_release_are_in_two_functions) {
    counted_line copy = line_of("shape", 7);
    copy.copies = copy.foreign = 1500;
    counted_line release = line_of("shape", 8);
    release.function = "other";
    release.releases = release.foreign = 1000;
    counted_line rest = release;
    rest.line = 9;
    rest.releases = rest.foreign = 500;
    const std::size_t from = add(copy);
    for (const auto& [line, count] : {std::pair{release, 1000U}, std::pair{rest, 500U}})
        run_.counts.pairs.push_back(
            {.copy = from, .release = add(line), .count = count, .distance = count});
    const given_advice given = advise_on(run_);
    EXPECT_THAT(given.pieces, testing::IsEmpty());
    ASSERT_EQ(given.places.size(), 1U);
    EXPECT_EQ(given.places[0].count, 1500U);
    EXPECT_THAT(given.places[0].releases, testing::ElementsAre(from + 1, from + 2));
    EXPECT_DOUBLE_EQ(given.places[0].nanoseconds.usual, 2 * 1500 * 5);
}

struct local_copy {
    std::uint64_t assigned;
    int release_line;
    std::uint64_t distance;
    const char* holder;
    bool is_advised;
};

class handle_advice_on_a_local_copy : public handle_advice,
                                      public testing::WithParamInterface<local_copy> {};

// Of 1000 copies in line 7.
TEST_P(handle_advice_on_a_local_copy, is_given_if_no_variable_changes) {
    const local_copy& each = GetParam();
    counted_line copy = line_of("shape", 7);
    copy.copies = copy.foreign = 1000;
    copy.holder = each.holder;
    counted_line release = line_of("shape", each.release_line);
    release.releases = release.foreign = 1000;
    run_.counts.pairs.push_back({.copy = add(copy),
                                 .release = add(release),
                                 .count = 1000,
                                 .distance = each.distance,
                                 .assigned = each.assigned});
    const given_advice given = advise_on(run_);
    EXPECT_EQ(given.pieces.size(), each.is_advised ? 1U : 0U);
    EXPECT_EQ(given.places.size(), each.is_advised ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(each, handle_advice_on_a_local_copy,
                         testing::Values(local_copy{0, 7, 100000, "", true},
                                         local_copy{0, 7, 1000, "drawing", true},
                                         local_copy{0, 9, 1000, "", true},
                                         local_copy{0, 9, 100000, "", false},
                                         local_copy{0, 9, 1000, "drawing", false},
                                         local_copy{1000, 7, 1000, "", false}));

TEST_F(handle_advice, tells_the_interval_of_a_gain) {
    run_.costs.locking = {4, 1, 6};
    counted_line line = line_of("shape", 3);
    line.copies = 100;
    add(line);
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::one_thread);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.least, 100 * 1);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 100 * 4);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.most, 100 * 6);
}

TEST_F(handle_advice, is_none_of_a_run_that_was_sampled) {
    counted_line line = line_of("shape", 3);
    line.copies = 1000;
    add(line);
    run_.sampled = sampling{};
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
}

TEST_F(handle_advice, takes_the_second_allocation_of_lone_objects_into_account) {
    counted_line line = line_of("shape", 3);
    line.objects = line.made_apart = line.last_releases = line.sole = line.releases = 100;
    line.unique_releases = 100;
    add(line);
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::one_owner);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 100 * 20);
}

TEST_F(handle_advice, is_to_allocate_together_what_new_allocates_apart) {
    counted_line line = line_of("shape", 3);
    line.objects = line.made_apart = 100;
    line.copies = 1;
    line.foreign = 1;
    add(line);
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::allocate_together);
    EXPECT_EQ(given.pieces[0].sure, certainty::certain);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 100 * 20);
}

TEST_F(handle_advice, is_to_call_make_shared_if_it_can_call_a_constructor) {
    counted_line line = line_of("shape", 3);
    line.objects = line.made_apart = 100;
    line.copies = line.foreign = 1;
    const std::size_t at = add(line);
    const auto code_for = [&](constructor_access constructors) {
        run_.counts.lines[at].constructors = constructors;
        return advise_on(run_).pieces.at(0).code;
    };
    EXPECT_THAT(code_for(constructor_access::untold), HasSubstr("if its constructor is public"));
    EXPECT_THAT(code_for(constructor_access::all_public), HasSubstr("in place of new;"));
    EXPECT_THAT(code_for(constructor_access::none_public),
                HasSubstr("after shape gets a public constructor"));
    run_.counts.lines[at].handle = "freehold::shared_ptr (local_count)";
    EXPECT_THAT(code_for(constructor_access::all_public),
                testing::StartsWith("freehold::make_shared<shape, freehold::local_count>(...)"));
}

TEST_F(handle_advice, keeps_new_where_no_constructor_is_public) {
    counted_line line = line_of("shape", 3);
    line.objects = line.made_apart = line.last_releases = line.sole = line.releases = 100;
    const std::size_t at = add(line);
    const auto first_code = [&] { return advise_on(run_).pieces.at(0).code; };
    EXPECT_THAT(first_code(), HasSubstr("std::make_unique<shape>"));
    run_.counts.objects["shape"].are_closed = true;
    EXPECT_EQ(first_code(),
              "std::unique_ptr<shape>, made by new as now, because shape has no public "
              "constructor");
    run_.counts.lines[at].sole = 0;
    run_.counts.lines[at].made_apart = 0;
    EXPECT_EQ(first_code(),
              "freehold::local_shared_ptr<shape>, made by new as now, because shape has no public "
              "constructor");
}

TEST_F(handle_advice, is_none_that_gains_nothing) {
    counted_line line = line_of("shape", 3);
    line.objects = line.last_releases = line.sole = line.releases = line.unique_releases = 100;
    add(line);
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
}

// No reference and no other count can take the place of what the library has for itself.
TEST_F(handle_advice, is_none_on_objects_of_the_library) {
    counted_line line = line_of("std::__future_base::_State_baseV2", 3);
    line.copies = line.releases = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at, .release = at, .count = 1000, .distance = 1000});
    EXPECT_EQ(advise_on(run_).pieces.size(), 2U);
    run_.counts.objects[line.pointee].is_hidden = true;
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
    EXPECT_THAT(advise_on(run_).places, testing::IsEmpty());
    run_.counts.lines[at].holder = "std::regex";
    EXPECT_EQ(advise_on(run_).places.size(), 1U);
}

// The user cannot change the code of an installed library.
TEST_F(handle_advice, is_none_on_lines_of_installed_libraries) {
    counted_line line = line_of("shape", 3);
    line.objects = line.made_apart = 100;
    line.copies = line.releases = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at, .release = at, .count = 1000, .distance = 1000});
    EXPECT_EQ(advise_on(run_).pieces.size(), 3U);
    for (const char* const file : {"/usr/include/boost/signals2/signal.hpp", ""}) {
        run_.counts.lines[at].file = file;
        EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty()) << file;
        EXPECT_THAT(advise_on(run_).places, testing::IsEmpty()) << file;
    }
}

// Another thread may change the original once the mutex is free.
TEST_F(handle_advice, is_withheld_where_a_copy_outlives_a_mutex) {
    counted_line line = line_of("shape", 7);
    line.copies = line.releases = line.foreign = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back(
        {.copy = at, .release = at, .count = 1000, .distance = 1000, .unlocked = 1});
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
    EXPECT_EQ(advise_on(run_).places.size(), 1U);
}

TEST_F(handle_advice, is_about_the_code_that_makes_the_copy) {
    counted_line line = line_of("shape", 7);
    line.copies = line.releases = line.foreign = 1000;
    const std::size_t at = add(line);
    removable_pair pair{.copy = at, .release = at, .count = 1000, .distance = 1000};
    const auto code_of = [this](const removable_pair& each) {
        run_.counts.pairs = {each};
        const given_advice given = advise_on(run_);
        return given.pieces.empty() ? std::string() : given.pieces.front().code;
    };
    pair.by_library = 1000;
    EXPECT_THAT(code_of(pair), testing::StartsWith("std::move of the std::shared_ptr<shape>"));
    pair.in_range = 1000;
    EXPECT_THAT(code_of(pair), testing::StartsWith("std::make_move_iterator"));
    pair.in_range = pair.by_library = 0;
    pair.by_call = 1000;
    EXPECT_THAT(code_of(pair), testing::StartsWith("const std::shared_ptr<shape>& as a parameter "
                                                   "of the function that line 7 calls"));
    pair.converted = 1000;
    EXPECT_THAT(code_of(pair), testing::StartsWith("const auto& as a parameter"));
    pair.by_call = 0;
    EXPECT_THAT(code_of(pair), testing::StartsWith("std::move into the std::shared_ptr<shape>"));
}

TEST_F(handle_advice, leaves_objects_with_weak_handles_shared) {
    counted_line line = line_of("shape", 3);
    line.objects = line.last_releases = line.sole = line.releases = 100;
    line.weak_copies = 1;
    line.foreign = line.releases;
    add(line);
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
}

TEST_F(handle_advice, is_a_local_count_where_no_second_thread_counts) {
    counted_line line = line_of("shape", 3);
    line.copies = 1000;
    line.releases = 900;
    add(line);
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::one_thread);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 1900 * (5 - 1));
}

// No reference can take the place of what is assigned to.
TEST_F(handle_advice, on_an_assigned_copy_is_to_move_it) {
    const std::size_t handle = add(line_of("shape", 7));
    counted_line holding = line_of("shape", 8);
    holding.holder = "drawing";
    const std::size_t holder = add(holding);
    for (const std::size_t at : {handle, holder}) {
        counted_line& line = run_.counts.lines[at];
        line.copies = line.releases = line.foreign = 1000;
        run_.counts.pairs.push_back(
            {.copy = at, .release = at, .count = 1000, .distance = 1000, .stored = 1000});
    }
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 2U);
    for (const handles_advice& each : given.pieces) {
        EXPECT_EQ(each.what, "move, instead of the copy");
        EXPECT_THAT(each.code, testing::Not(HasSubstr("const ")));
    }
    EXPECT_THAT(given.pieces[0].code, HasSubstr("shape*"));
    EXPECT_THAT(given.pieces[1].code, HasSubstr("drawing needs a move assignment"));
}

TEST_F(handle_advice, names_the_class_that_holds_the_handle) {
    counted_line line = line_of("shape", 7);
    line.holder = "drawing";
    line.copies = line.releases = line.foreign = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at, .release = at, .count = 1000, .distance = 1000});
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_THAT(given.pieces[0].code, HasSubstr("const drawing&"));
}

TEST_F(handle_advice, is_written_in_the_language_of_the_handle) {
    counted_line line = line_of("work::Shape", 3);
    line.handle = "Arc (Rust)";
    line.copies = line.releases = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at, .release = at, .count = 1000, .distance = 1000});
    run_.counts.pairs.push_back({.copy = at,
                                 .release = at,
                                 .kind = pair_kind::lock,
                                 .count = 1000,
                                 .repeats = 1000,
                                 .distance = 1000});
    std::vector<std::string> code;
    for (const handles_advice& each : advise_on(run_).pieces) code.push_back(each.code);
    EXPECT_THAT(code, testing::UnorderedElementsAre(HasSubstr("&Arc<work::Shape>"),
                                                    HasSubstr("weak.upgrade()"),
                                                    HasSubstr("Rc<work::Shape>")));
}

TEST_F(handle_advice, on_values_of_qt_is_not_about_their_count) {
    counted_line line = line_of("QString", 3);
    line.handle = "implicitly shared (Qt)";
    line.copies = line.releases = line.last_releases = line.sole = 1000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at, .release = at, .count = 1000, .distance = 1000});
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_THAT(given.pieces[0].code, HasSubstr("const QString&"));
}

TEST_F(handle_advice, is_a_biased_count_where_other_threads_count_rarely) {
    counted_line line = line_of("shape", 3);
    line.copies = 1000;
    line.releases = 900;
    line.foreign = 10;
    add(line);
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::mostly_one_thread);
    EXPECT_EQ(given.pieces[0].sure, certainty::hint);
}

TEST_F(handle_advice, is_nothing_where_threads_share_objects) {
    counted_line line = line_of("shape", 3);
    line.copies = line.releases = 1000;
    line.foreign = 1000;
    add(line);
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
}

TEST_F(handle_advice, is_to_lock_once_only_if_the_same_object_is_locked_again) {
    counted_line line = line_of("shape", 3);
    line.locks = line.releases = 1000;
    line.foreign = 2000;
    const std::size_t at = add(line);
    run_.counts.pairs.push_back({.copy = at,
                                 .release = at,
                                 .kind = pair_kind::lock,
                                 .count = 1000,
                                 .repeats = 100,
                                 .distance = 1000});
    EXPECT_THAT(advise_on(run_).pieces, testing::IsEmpty());
    run_.counts.pairs[0].repeats = 1000;
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.pieces[0].kind, advice_kind::repeated_lock);
    EXPECT_DOUBLE_EQ(given.pieces[0].nanoseconds.usual, 1000 * (7 + 5));
}

TEST_F(handle_advice, of_little_gain_is_folded) {
    counted_line line = line_of("shape", 3);
    line.copies = 100;
    add(line);
    run_.cpu_seconds = 1;
    const given_advice given = advise_on(run_);
    ASSERT_EQ(given.pieces.size(), 1U);
    EXPECT_EQ(given.shown_pieces, 0U);
    EXPECT_EQ(given.folded(), 1U);
}

}  // namespace
}  // namespace freehold::advice_test
