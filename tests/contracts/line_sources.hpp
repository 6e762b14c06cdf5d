// SPDX-License-Identifier: BSL-1.0
// What every line_source promises.
//
// A subject is default-constructible; it has `void put(std::string object,
// std::vector<std::byte>)`, which makes or replaces an object, `void remove(std::string object)`,
// `auto& source()`, and `void end_source()`, which destroys the source. Where it cannot be had
// here, it skips the test in its constructor, and is not used any more.
#pragma once

#include "contracts/content.hpp"
#include "contracts/observed_read.hpp"
#include "skip.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Subject>
class line_sources : public testing::Test {
protected:
    void SetUp() override { subject_ = std::make_unique<Subject>(); }

    std::vector<std::byte> put(const std::string& object, std::size_t size) {
        std::vector<std::byte> content = content_of(object, size);
        subject_->put(object, content);
        return content;
    }
    auto& source() { return subject_->source(); }
    void end_source() { subject_->end_source(); }
    Subject& subject() { return *subject_; }

private:
    std::unique_ptr<Subject> subject_;
};

TYPED_TEST_SUITE_P(line_sources);

TYPED_TEST_P(line_sources, fetches_a_range) {
    const auto content = this->put("object", 100'000);
    observed_read read("object", 1'234, 50'000);
    this->source().fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.bytes(), part_of(content, 1'234, 50'000));
    EXPECT_EQ(read.info().size, 100'000u);
}

TYPED_TEST_P(line_sources, starts_a_range) {
    const auto content = this->put("object", 100'000);
    observed_read read("object", 1'234, 50'000);
    this->source().start(read);
    read.wait_for_end();
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.bytes(), part_of(content, 1'234, 50'000));
}

TYPED_TEST_P(line_sources, reads_what_there_is_of_a_range_past_the_end) {
    const auto content = this->put("object", 10'000);
    observed_read read("object", 8'192, 8'192);
    this->source().fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.bytes(), part_of(content, 8'192, 8'192));
    EXPECT_EQ(read.got(), 10'000u - 8'192u);
    EXPECT_TRUE(read.untouched_behind_what_arrived());
}

TYPED_TEST_P(line_sources, refuses_a_range_behind_the_end) {
    this->put("object", 10'000);
    this->put("empty", 0);
    for (const auto& [object, offset] : std::vector<std::pair<std::string, std::uint64_t>>{
             {"object", 10'000}, {"object", 1'000'000}, {"empty", 1}, {"empty", 4'096}}) {
        observed_read read(object, offset, 100);
        this->source().fetch(read);
        EXPECT_EQ(read.reason(), source_failure::past_the_end) << read.message();
    }
}

TYPED_TEST_P(line_sources, reads_an_empty_object) {
    this->put("empty", 0);
    const object_info info = this->source().describe("empty");
    EXPECT_EQ(info.size, 0u);
    for (const std::string& tag : {std::string(), info.entity_tag}) {
        observed_read fetched("empty", 0, 8'192, tag);
        this->source().fetch(fetched);
        observed_read started("empty", 0, 8'192, tag);
        this->source().start(started);
        started.wait_for_end();
        for (const observed_read* const read : {&fetched, &started}) {
            ASSERT_TRUE(read->finished()) << read->message();
            EXPECT_EQ(read->got(), 0u);
            EXPECT_EQ(read->info().size, 0u);
            EXPECT_EQ(read->info().entity_tag, info.entity_tag);
            EXPECT_TRUE(read->untouched_behind_what_arrived());
        }
    }
}

TYPED_TEST_P(line_sources, says_which_object_there_is_not) {
    observed_read read("no/such", 100, 50);
    this->source().fetch(read);
    EXPECT_EQ(read.reason(), source_failure::not_found);
    EXPECT_NE(read.message().find("'no/such', bytes 100-149"), std::string::npos) << read.message();
    observed_read started("no/such", 100, 50);
    this->source().start(started);
    started.wait_for_end();
    EXPECT_EQ(started.reason(), source_failure::not_found);
}

TYPED_TEST_P(line_sources, describes_an_object) {
    this->put("object", 12'345);
    this->put("empty", 0);
    EXPECT_EQ(this->source().describe("object").size, 12'345u);
    EXPECT_EQ(this->source().describe("empty").size, 0u);
    observed_read read("object", 0, 1);
    this->source().fetch(read);
    EXPECT_EQ(read.info().entity_tag, this->source().describe("object").entity_tag);
    try {
        static_cast<void>(this->source().describe("no/such"));
        FAIL() << "described an object that there is not";
    } catch (const source_error& error) {
        EXPECT_EQ(error.reason(), source_failure::not_found);
        EXPECT_NE(std::string(error.what()).find("'no/such'"), std::string::npos) << error.what();
    }
}

TYPED_TEST_P(line_sources, reads_an_object_of_the_entity_tag_that_was_asked_for) {
    const auto content = this->put("object", 5'000);
    const std::string tag = this->source().describe("object").entity_tag;
    observed_read read("object", 0, 5'000, tag);
    this->source().fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.bytes(), content);
}

TYPED_TEST_P(line_sources, refuses_an_object_that_has_changed) {
    this->put("object", 5'000);
    const std::string tag = this->source().describe("object").entity_tag;
    if (tag.empty()) return tests::does_not_apply("this source knows no entity tags");
    this->subject().put("object", content_of("another", 5'000));
    EXPECT_NE(this->source().describe("object").entity_tag, tag);
    observed_read read("object", 0, 5'000, tag);
    this->source().fetch(read);
    EXPECT_EQ(read.reason(), source_failure::changed) << read.message();
    EXPECT_EQ(read.got(), 0u);
}

TYPED_TEST_P(line_sources, fills_room_of_any_size) {
    const auto content = this->put("object", 70'001);
    for (const std::size_t at_once :
         {std::size_t{1'000}, std::size_t{4'096}, std::size_t{69'999}}) {
        observed_read read("object", 0, 80'000, "", {.room_at_once = at_once});
        this->source().fetch(read);
        ASSERT_TRUE(read.finished()) << read.message();
        EXPECT_EQ(read.bytes(), content);
    }
}

TYPED_TEST_P(line_sources, stops_before_the_first_byte_that_is_not_wanted) {
    this->put("object", 5'000);
    observed_read read("object", 0, 5'000, "", {.wanted_at_all = false});
    this->source().fetch(read);
    EXPECT_EQ(read.reason(), source_failure::cancelled);
    EXPECT_EQ(read.got(), 0u);
}

TYPED_TEST_P(line_sources, stops_half_way_when_no_more_is_wanted) {
    constexpr std::size_t size = 8 << 20;
    this->put("object", size);
    observed_read read("object", 0, size, "", {.room_at_once = 10'000, .wanted_bytes = 50'000});
    this->source().fetch(read);
    EXPECT_EQ(read.reason(), source_failure::cancelled) << read.message();
    EXPECT_GE(read.got(), 50'000u);
    EXPECT_LT(read.got(), 60'000u);
    EXPECT_TRUE(read.untouched_behind_what_arrived());
}

TYPED_TEST_P(line_sources, does_not_read_what_was_cancelled_before) {
    this->put("object", 5'000);
    observed_read read("object", 0, 5'000);
    read.cancel();
    this->source().start(read);
    read.wait_for_end();
    EXPECT_EQ(read.reason(), source_failure::cancelled) << read.message();
    EXPECT_EQ(read.got(), 0u);
}

TYPED_TEST_P(line_sources, takes_names_with_any_character) {
    for (const std::string object : {"a b", "plus+and%25", "folder/with/parts", "ümlaut",
                                     "q?x=1&y=2", "#'\"(~)*!$;:@,=", "c.d"}) {
        const auto content = this->put(object, 777);
        observed_read read(object, 0, 1'000);
        this->source().fetch(read);
        ASSERT_TRUE(read.finished()) << object << ": " << read.message();
        EXPECT_EQ(read.bytes(), content) << object;
    }
}

TYPED_TEST_P(line_sources, serves_several_threads_at_once) {
    constexpr std::size_t size = 1 << 20;
    constexpr std::size_t part = 1 << 16;
    const auto content = this->put("object", size);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread != 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::size_t i = 0; i != 8; ++i) {
                const std::size_t offset = (i * 4 + thread) * 31'000 % size;
                observed_read fetched("object", offset, part);
                observed_read started("object", offset, part);
                this->source().start(started);
                this->source().fetch(fetched);
                started.wait_for_end();
                EXPECT_TRUE(fetched.finished()) << fetched.message();
                EXPECT_TRUE(started.finished()) << started.message();
                EXPECT_EQ(fetched.bytes(), part_of(content, offset, part));
                EXPECT_EQ(started.bytes(), part_of(content, offset, part));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TYPED_TEST_P(line_sources, ends_what_was_started_when_it_is_destroyed) {
    constexpr std::size_t size = 4 << 20;
    this->put("object", size);
    std::vector<std::unique_ptr<observed_read>> reads;
    for (int i = 0; i != 40; ++i) {
        reads.push_back(std::make_unique<observed_read>("object", 0, size));
        this->source().start(*reads.back());
    }
    this->end_source();
    for (const auto& read : reads) {
        ASSERT_TRUE(read->ended());
        if (!read->finished()) {
            EXPECT_EQ(read->reason(), source_failure::cancelled);
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(line_sources, fetches_a_range, starts_a_range, reads_an_empty_object,
                            reads_what_there_is_of_a_range_past_the_end,
                            refuses_a_range_behind_the_end, says_which_object_there_is_not,
                            describes_an_object,
                            reads_an_object_of_the_entity_tag_that_was_asked_for,
                            refuses_an_object_that_has_changed, fills_room_of_any_size,
                            stops_before_the_first_byte_that_is_not_wanted,
                            stops_half_way_when_no_more_is_wanted,
                            does_not_read_what_was_cancelled_before, takes_names_with_any_character,
                            serves_several_threads_at_once,
                            ends_what_was_started_when_it_is_destroyed);

}  // namespace freehold::contracts
