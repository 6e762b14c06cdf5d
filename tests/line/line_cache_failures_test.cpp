// SPDX-License-Identifier: BSL-1.0
// Sources that fail, return fewer or more bytes than requested, or find another version of the
// object.
#include <freehold/line/line_cache.hpp>

#include "line/room_for.hpp"
#include "line/scripted_source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace freehold::line_cache_failures_test {
namespace {

using tests::are_made;
using tests::reason_of;
using tests::room_for;
using tests::scripted_source;

constexpr std::size_t line_size = 8192;

class line_cache_failures : public testing::Test {
protected:
    line_cache_failures() { source.put("a", 3 * line_size); }

    static line_cache_options options() { return room_for(4, line_size); }
    line get(std::uint64_t number) { return cache.get("a", number * line_size); }
    source_failure reason(std::uint64_t number) {
        return reason_of([&] { static_cast<void>(get(number)); });
    }
    // After any failure, nothing is left of it, and the source is asked again.
    void expect_recovery(std::uint64_t number = 0) {
        const line_cache_statistics failed = cache.statistics();
        EXPECT_EQ(failed.bytes_in_lines, failed.lines * line_size);
        EXPECT_GE(failed.failures, 1u);
        source.on_request(nullptr);
        EXPECT_EQ(get(number).bytes().size(), line_size);
    }

    scripted_source source;
    line_cache<scripted_source> cache{source, options()};
    const object_info info{3 * line_size, "version 1"};
};

TEST_F(line_cache_failures, reports_a_failure_before_begin) {
    source.on_request(
        [](line_read& read) { read.fail(scripted_source::failure(source_failure::refused)); });
    EXPECT_EQ(reason(0), source_failure::refused);
    expect_recovery();
}

TEST_F(line_cache_failures, reports_a_failure_in_mid_body) {
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin(info));
        EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, 5'000)));
        read.fail(scripted_source::failure(source_failure::unreachable));
    });
    EXPECT_EQ(reason(0), source_failure::unreachable);
    EXPECT_EQ(cache.statistics().bytes_wasted, 5'000u);
    expect_recovery();
}

TEST_F(line_cache_failures, reports_a_failure_after_the_last_byte) {
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin(info));
        EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, line_size)));
        EXPECT_TRUE(read.room().empty());
        read.fail(scripted_source::failure(source_failure::changed));
    });
    EXPECT_EQ(reason(0), source_failure::changed);
    expect_recovery();
}

TEST_F(line_cache_failures, reports_a_short_read) {
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin(info));
        EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, line_size - 1)));
        read.finish();
    });
    try {
        static_cast<void>(get(0));
        FAIL() << "a byte is missing";
    } catch (const source_error& error) {
        EXPECT_EQ(error.reason(), source_failure::wrong_length);
        EXPECT_STREQ(error.what(), "object 'a', bytes 0-8191: only 8191 bytes arrived of line 0");
    }
    expect_recovery();
}

TEST_F(line_cache_failures, reports_an_offset_past_the_end) {
    source.on_request([&](line_read& read) {
        static_cast<void>(read.begin({line_size, "version 1"}));
        EXPECT_TRUE(read.room().empty());
        read.finish();
    });
    EXPECT_EQ(reason(2), source_failure::past_the_end);
}

TEST_F(line_cache_failures, reports_more_bytes_than_room) {
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin(info));
        EXPECT_EQ(scripted_source::fill(read, 1, 0, 2 * line_size), line_size);
        EXPECT_FALSE(read.arrived(line_size + 1));
        EXPECT_FALSE(read.wanted());
        read.finish();
    });
    EXPECT_EQ(reason(0), source_failure::wrong_length);
    expect_recovery();
}

TEST_F(line_cache_failures, accepts_an_empty_arrival_after_the_last_byte) {
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin({100, "version 1"}));
        EXPECT_TRUE(read.arrived(0));
        EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, 100)));
        EXPECT_TRUE(read.arrived(0));
        read.finish();
    });
    EXPECT_EQ(get(0).bytes().size(), 100u);
}

TEST_F(line_cache_failures, requests_no_offset_beyond_64_bits) {
    line_cache_options asked = options();
    asked.line_size = 12288;  // the last possible line is not whole
    line_cache<scripted_source> odd(source, asked);
    const std::uint64_t last = ~std::uint64_t{0};
    EXPECT_EQ(reason_of([&] { static_cast<void>(odd.get("a", last)); }),
              source_failure::past_the_end);
    const scripted_source::request request = source.requests().back();
    EXPECT_LE(request.offset, last);
    EXPECT_GE(request.offset + request.size, request.offset);
}

TEST_F(line_cache_failures, reports_an_exception_of_the_source) {
    source.on_request([](line_read&) { throw std::runtime_error("out of order"); });
    EXPECT_THROW(static_cast<void>(get(0)), std::runtime_error);
    expect_recovery();
}

TEST_F(line_cache_failures, drops_lines_of_an_old_version) {
    const line former = get(0);
    source.put("a", 3 * line_size);
    EXPECT_EQ(reason(1), source_failure::changed) << "it asked for the version of the other line";
    EXPECT_EQ(cache.statistics().lines, 0u);
    const line first = get(0);
    const line second = get(1);
    EXPECT_TRUE(are_made(former.bytes(), "a", 1, 0)) << "who holds it keeps it";
    EXPECT_TRUE(are_made(first.bytes(), "a", 2, 0));
    EXPECT_TRUE(are_made(second.bytes(), "a", 2, line_size));
    EXPECT_EQ(second.entity_tag(), "version 2");
}

// This source ignores the requested tag.
TEST_F(line_cache_failures, detects_another_tag_or_size) {
    for (const object_info& other :
         {object_info{3 * line_size, "version 2"}, object_info{2 * line_size, "version 1"}}) {
        source.on_request(nullptr);
        static_cast<void>(get(0));
        source.on_request([&](line_read& read) {
            EXPECT_FALSE(read.begin(other));
            EXPECT_FALSE(read.wanted());
            read.fail(scripted_source::failure(source_failure::cancelled));
        });
        EXPECT_EQ(reason(1), source_failure::changed);
        expect_recovery();
        cache.invalidate("a");
    }
}

TEST_F(line_cache_failures, compares_sizes_without_tags) {
    source.without_tags();
    EXPECT_EQ(get(0).entity_tag(), "");
    source.put("a", 3 * line_size - 1);
    EXPECT_EQ(reason(1), source_failure::changed);
    expect_recovery(1);
}

TEST_F(line_cache_failures, requests_the_version_named_by_invalidate) {
    static_cast<void>(get(0));
    cache.invalidate("a", "version 1");
    static_cast<void>(get(0));
    EXPECT_EQ(source.request_count(), 1u) << "it is that version";
    source.put("a", 3 * line_size);
    cache.invalidate("a", "version 2");
    EXPECT_TRUE(are_made(get(0).bytes(), "a", 2, 0));
    EXPECT_EQ(source.requests().back().entity_tag, "version 2");
    cache.invalidate("a", "version 3");
    EXPECT_EQ(reason(0), source_failure::changed);
    expect_recovery();
    cache.invalidate("never heard of");
}

TEST_F(line_cache_failures, requests_bytes_beyond_the_known_end) {
    source.put("b", 100);
    static_cast<void>(cache.get("b", 0));
    const auto reason_at = [&](std::uint64_t offset) {
        return reason_of([&] { static_cast<void>(cache.get("b", offset)); });
    };
    EXPECT_EQ(reason_at(500), source_failure::past_the_end);
    EXPECT_EQ(source.request_count(), 1u) << "the line is still there";
    source.put("b", 1'000);
    EXPECT_EQ(reason_at(500), source_failure::changed);
    EXPECT_TRUE(are_made(cache.get("b", 500).bytes(), "b", 2, 0));

    source.put("b", 3 * line_size);
    EXPECT_EQ(reason_at(2 * line_size), source_failure::changed);
    EXPECT_TRUE(are_made(cache.get("b", 2 * line_size).bytes(), "b", 3, 2 * line_size));
}

TEST_F(line_cache_failures, accepts_a_change_if_no_line_is_left) {
    const cached_object object = cache.open("a");
    static_cast<void>(cache.get(object, 0));
    cache.trim();
    ASSERT_EQ(cache.statistics().lines, 0u);
    source.put("a", line_size);
    EXPECT_EQ(cache.describe("a").size, line_size);
    EXPECT_TRUE(are_made(cache.get(object, 0).bytes(), "a", 2, 0));

    // Its last line is evicted.
    source.put("b", 4 * line_size);
    for (std::uint64_t i = 0; i != 4; ++i) static_cast<void>(cache.get("b", i * line_size));
    source.put("a", 2 * line_size);
    EXPECT_TRUE(are_made(cache.get(object, line_size).bytes(), "a", 3, line_size));
}

TEST_F(line_cache_failures, requires_the_version_of_an_object_that_is_opened) {
    const object_info old = source.describe("a");
    const cached_object object = cache.open("a", old);
    source.put("a", line_size);
    EXPECT_EQ(cache.describe("a").entity_tag, "version 2") << "there is no line that could be old";
    EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get(object, 0)); }), source_failure::changed);
    EXPECT_TRUE(are_made(cache.get(object, 0).bytes(), "a", 2, 0));
    static_cast<void>(cache.open("a", old));
    EXPECT_TRUE(are_made(cache.get(object, 0).bytes(), "a", 2, 0)) << "its lines tell more";

    static_cast<void>(cache.open("b", {5 * line_size, "version 1"}));
    source.put("b", 3 * line_size);
    EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get("b", 0)); }), source_failure::changed)
        << "it has another size";
}

TEST_F(line_cache_failures, keeps_the_version_of_an_opened_object_after_a_failure) {
    static_cast<void>(cache.open("a", source.describe("a")));
    source.on_request(
        [](line_read& read) { read.fail(scripted_source::failure(source_failure::timed_out)); });
    EXPECT_EQ(reason(0), source_failure::timed_out);
    source.on_request(nullptr);
    EXPECT_TRUE(are_made(get(0).bytes(), "a", 1, 0));
    EXPECT_EQ(source.requests().back().entity_tag, "version 1");
}

TEST_F(line_cache_failures, keeps_the_named_version_after_a_failure) {
    cache.invalidate("a", "version 2");
    source.on_request(
        [](line_read& read) { read.fail(scripted_source::failure(source_failure::timed_out)); });
    EXPECT_EQ(reason(0), source_failure::timed_out);
    source.on_request(nullptr);
    EXPECT_EQ(reason(0), source_failure::changed) << "it is version 1";
    EXPECT_TRUE(are_made(get(0).bytes(), "a", 1, 0)) << "the user is told once";
}

TEST_F(line_cache_failures, invalidates_fetches_in_flight) {
    bool is_first = true;
    source.on_request([&](line_read& read) {
        if (std::exchange(is_first, false)) {
            // As another thread might do during the fetch.
            cache.invalidate("a");
        }
        source.serve(read);
    });
    const line former = get(0);
    EXPECT_TRUE(are_made(former.bytes(), "a", 1, 0));
    EXPECT_NE(former, get(0)) << "it was asked for before";
}

}  // namespace
}  // namespace freehold::line_cache_failures_test
