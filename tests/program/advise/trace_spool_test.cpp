// SPDX-License-Identifier: BSL-1.0
#include "advise/trace_spool.hpp"

#include "program/temporary_folder.hpp"
#include "results/replace_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trace_spool_test {
namespace {

using freehold::trace_event;
using freehold::trace_spool;

std::vector<trace_event> read_back(const trace_spool& spool) {
    std::vector<trace_event> events;
    trace_spool::cursor cursor(spool);
    for (trace_event event; cursor.next(event);) events.push_back(event);
    return events;
}

// Numbers of every length.
std::vector<trace_event> random_events(std::size_t count) {
    std::mt19937_64 random(7);
    const auto number = [&](int bits) { return random() >> (64U - random() % bits - 1); };
    std::vector<trace_event> events(count);
    std::uint64_t time = 0;
    for (trace_event& each : events) {
        time += number(40);
        each.time = time;
        each.what = random() % 2 == 0 ? trace_event::kind::allocate : trace_event::kind::free;
        each.block = static_cast<std::uint32_t>(number(32));
        each.thread = static_cast<std::uint32_t>(random() % 3);
        each.process = static_cast<std::uint32_t>(random() % 2);
        if (each.what == trace_event::kind::free) continue;
        each.size = number(64);
        each.alignment = random() % 4 == 0 ? std::uint64_t{1} << random() % 40 : 0;
    }
    return events;
}

void expect_same(const trace_event& read, const trace_event& written) {
    EXPECT_EQ(read.time, written.time);
    EXPECT_EQ(read.what, written.what);
    EXPECT_EQ(read.block, written.block);
    EXPECT_EQ(read.thread, written.thread);
    EXPECT_EQ(read.process, written.process);
    EXPECT_EQ(read.size, written.size);
    EXPECT_EQ(read.alignment, written.alignment);
}

TEST(trace_spool, gives_back_what_it_was_given_however_often) {
    const auto events = random_events(100'000);
    trace_spool spool;
    for (const trace_event& each : events) spool.add(each);
    spool.finish();
    EXPECT_EQ(spool.events(), events.size());
    for (int time = 0; time != 2; ++time) {
        const auto read = read_back(spool);
        ASSERT_EQ(read.size(), events.size());
        for (std::size_t i = 0; i != read.size(); ++i) {
            expect_same(read[i], events[i]);
            if (HasFailure()) FAIL() << "event " << i;
        }
    }
}

TEST(trace_spool, takes_a_few_bytes_for_a_usual_event) {
    trace_spool spool;
    for (std::uint32_t i = 0; i != 10'000; ++i) {
        trace_event event;
        event.time = 100 * i;
        event.block = i % 100;
        event.size = 500;
        spool.add(event);
    }
    spool.finish();
    EXPECT_LE(spool.bytes(), 50'000U);
}

TEST(trace_spool, has_no_event_of_an_empty_trace) {
    trace_spool spool;
    spool.finish();
    EXPECT_TRUE(read_back(spool).empty());
}

TEST(trace_spool, counts_an_event_that_was_overtaken_as_simultaneous) {
    trace_spool spool;
    for (const std::uint64_t time : {50, 40, 60}) {
        trace_event event;
        event.time = time;
        spool.add(event);
    }
    spool.finish();
    const auto read = read_back(spool);
    ASSERT_EQ(read.size(), 3U);
    EXPECT_EQ(read[1].time, 50U);
    EXPECT_EQ(read[2].time, 60U);
}

TEST(trace_spool, leaves_nothing_in_its_folder_and_says_when_it_cannot_be_there) {
    const freehold::temporary_folder folder;
    ASSERT_EQ(::setenv("TMPDIR", folder.path().c_str(), 1), 0);
    {
        trace_spool spool;
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
    ASSERT_EQ(::setenv("TMPDIR", (folder / "absent").c_str(), 1), 0);
    try {
        trace_spool spool;
        ADD_FAILURE() << "it was made in a folder that is not there";
    } catch (const freehold::file_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("absent"));
        EXPECT_THAT(error.what(), testing::HasSubstr("TMPDIR"));
    }
    ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace trace_spool_test
