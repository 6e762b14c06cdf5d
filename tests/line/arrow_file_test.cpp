// SPDX-License-Identifier: BSL-1.0
// What arrow_file promises about bytes, copies, failures and requests, over a source that does what
// a test says.
#include <freehold/line/arrow_file.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <arrow/io/caching.h>
#include <arrow/memory_pool.h>
#include <arrow/util/cancel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::tests::arrow_file_test {
namespace {

using testing::HasSubstr;
using scripted_cache = line_cache<scripted_source>;
using scripted_file = arrow_file<scripted_cache>;

constexpr std::uint64_t line_bytes = 4096;
constexpr std::uint64_t object_bytes = 10 * line_bytes + 100;

class arrow_files : public testing::Test {
protected:
    arrow_files() { source.put("object", object_bytes); }

    std::shared_ptr<scripted_file> open(const arrow::io::IOContext& context = {}) {
        return scripted_file::open(cache, "object", context).ValueOrDie();
    }
    static line_cache_options options_with(std::size_t lines) {
        line_cache_options options;
        options.line_size = line_bytes;
        options.capacity = lines * line_bytes;
        options.name = "scripted";
        return options;
    }
    static std::span<const std::byte> bytes_of(const std::shared_ptr<arrow::Buffer>& buffer) {
        return {reinterpret_cast<const std::byte*>(buffer->data()),
                static_cast<std::size_t>(buffer->size())};
    }

    // So that no line lies behind its predecessor.
    static void get_backwards(scripted_cache& from) {
        for (std::uint64_t i = 11; i-- != 0;) {
            static_cast<void>(from.get("object", i * line_bytes));
        }
    }

    const arrow::io::IOContext plain;
    scripted_source source;
    scripted_cache cache{source, options_with(64)};
};

TEST_F(arrow_files, a_read_inside_a_line_returns_bytes_of_the_line) {
    const auto file = open();
    const auto read = file->ReadAt(line_bytes + 10, 500).ValueOrDie();
    const line held = cache.get("object", line_bytes);
    EXPECT_EQ(bytes_of(read).data(), held.bytes().data() + 10);
    EXPECT_EQ(read->size(), 500);
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, line_bytes + 10));
    EXPECT_EQ(file->statistics().bytes_pinned, 500u);
    EXPECT_EQ(file->statistics().bytes_copied, 0u);
    EXPECT_EQ(file->statistics().reads, 1u);
    EXPECT_TRUE(file->supports_zero_copy());
}

TEST_F(arrow_files, a_read_across_many_lines_requests_them_together) {
    constexpr std::uint64_t lines = 40;
    source.put("large", lines * line_bytes);
    line_cache_options options = options_with(200);
    options.coalesce = 64;
    scripted_cache coalescing(source, options);
    const auto file = scripted_file::open(coalescing, "large").ValueOrDie();
    const auto read = file->ReadAt(100, (lines - 1) * line_bytes).ValueOrDie();
    EXPECT_TRUE(are_made(bytes_of(read), "large", 1, 100));
    EXPECT_EQ(source.request_count(), 1u) << "open has told the size";
}

TEST_F(arrow_files, that_are_read_once_displace_no_other_lines) {
    constexpr std::uint64_t lines = 20;
    source.put("hot", lines * line_bytes);
    source.put("scanned", 200 * line_bytes);
    scripted_cache small(source, options_with(lines));
    for (std::uint64_t i = 0; i != lines - 4; ++i) {
        static_cast<void>(small.get("hot", i * line_bytes));
    }
    const auto file = scripted_file::open(small, "scanned", plain, access::once).ValueOrDie();
    for (std::int64_t at = 0; at != 200 * std::int64_t{line_bytes}; at += line_bytes / 4) {
        ASSERT_TRUE(file->ReadAt(at, line_bytes / 4).ok());
    }
    const std::uint64_t hits_before = small.statistics().hits;
    for (std::uint64_t i = 0; i != lines - 4; ++i) {
        static_cast<void>(small.get("hot", i * line_bytes));
    }
    EXPECT_EQ(small.statistics().hits - hits_before, lines - 4);
}

TEST_F(arrow_files, a_buffer_holds_its_line_after_the_file_and_beside_other_reads) {
    scripted_cache small(source, options_with(2));
    auto file = scripted_file::open(small, "object").ValueOrDie();
    const auto read = file->ReadAt(0, line_bytes).ValueOrDie();
    for (std::uint64_t at = line_bytes; at < object_bytes; at += line_bytes) {
        ASSERT_TRUE(file->ReadAt(static_cast<std::int64_t>(at), 10).ok());
    }
    file.reset();
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, 0));
}

TEST_F(arrow_files, a_read_across_adjacent_lines_returns_their_bytes) {
    const auto file = open();
    const std::uint64_t size = 3 * line_bytes;
    auto read = file->ReadAt(line_bytes - 7, static_cast<std::int64_t>(size)).ValueOrDie();
    EXPECT_EQ(bytes_of(read).data() + 7, cache.get("object", line_bytes).bytes().data());
    EXPECT_EQ(file->statistics().bytes_pinned, size);
    EXPECT_EQ(file->statistics().bytes_copied, 0u);
    EXPECT_EQ(file->statistics().reads, 1u);
    cache.invalidate("object");
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, line_bytes - 7));
    EXPECT_EQ(cache.statistics().bytes_in_lines, 4 * line_bytes);
    read.reset();
    EXPECT_EQ(cache.statistics().bytes_in_lines, 0u);
}

TEST_F(arrow_files, a_read_of_more_than_a_quarter_of_the_cache_pins_nothing) {
    scripted_cache small(source, options_with(16));
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    const auto few = file->ReadAt(0, 3 * line_bytes).ValueOrDie();
    EXPECT_EQ(file->statistics().bytes_pinned, 3 * line_bytes);
    const auto many = file->ReadAt(0, 5 * line_bytes).ValueOrDie();
    EXPECT_EQ(file->statistics().bytes_copied, 5 * line_bytes);
    EXPECT_TRUE(are_made(bytes_of(many), "object", 1, 0));
}

TEST_F(arrow_files, a_read_across_other_lines_is_copied_once_into_memory_of_the_pool) {
    get_backwards(cache);
    arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
    const auto file = open(arrow::io::IOContext(&pool));
    const std::uint64_t size = 3 * line_bytes;
    const auto read = file->ReadAt(line_bytes - 7, static_cast<std::int64_t>(size)).ValueOrDie();
    EXPECT_EQ(static_cast<std::uint64_t>(read->size()), size);
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, line_bytes - 7));
    EXPECT_GE(pool.bytes_allocated(), read->size());
    EXPECT_EQ(file->statistics().bytes_copied, size);
    EXPECT_EQ(file->statistics().bytes_pinned, 0u);
}

TEST_F(arrow_files, a_read_may_be_larger_than_the_cache) {
    scripted_cache small(source, options_with(2));
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    const auto read = file->ReadAt(0, object_bytes).ValueOrDie();
    EXPECT_EQ(static_cast<std::uint64_t>(read->size()), object_bytes);
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, 0));
}

TEST_F(arrow_files, a_read_into_memory_of_the_caller_is_copied) {
    const auto file = open();
    std::vector<std::byte> out(1000);
    EXPECT_EQ(file->ReadAt(line_bytes - 500, 1000, out.data()).ValueOrDie(), 1000);
    EXPECT_TRUE(are_made(out, "object", 1, line_bytes - 500));
    EXPECT_EQ(file->statistics().bytes_copied, 1000u);
}

TEST_F(arrow_files, a_read_past_the_end_returns_fewer_bytes) {
    const auto file = open();
    EXPECT_EQ(file->GetSize().ValueOrDie(), static_cast<std::int64_t>(object_bytes));
    EXPECT_EQ(file->ReadAt(object_bytes - 10, 100).ValueOrDie()->size(), 10);
    EXPECT_EQ(file->ReadAt(object_bytes, 100).ValueOrDie()->size(), 0);
    EXPECT_EQ(file->ReadAt(object_bytes + 1'000'000, 100).ValueOrDie()->size(), 0);
    EXPECT_EQ(file->ReadAt(0, 0).ValueOrDie()->size(), 0);
    std::byte out[100];
    EXPECT_EQ(file->ReadAt(object_bytes - 10, 100, out).ValueOrDie(), 10);
    EXPECT_EQ(file->ReadAt(object_bytes, 100, out).ValueOrDie(), 0);
    EXPECT_EQ(file->ReadAsync(plain, object_bytes - 10, 100).result().ValueOrDie()->size(), 10);
}

TEST_F(arrow_files, an_empty_object_has_no_bytes) {
    source.put("empty", 0);
    const auto file = scripted_file::open(cache, "empty").ValueOrDie();
    EXPECT_EQ(file->GetSize().ValueOrDie(), 0);
    EXPECT_EQ(file->ReadAt(0, 100).ValueOrDie()->size(), 0);
}

TEST_F(arrow_files, negative_numbers_are_invalid) {
    const auto file = open();
    std::byte out[1];
    EXPECT_TRUE(file->ReadAt(-1, 1).status().IsInvalid());
    EXPECT_TRUE(file->ReadAt(0, -1).status().IsInvalid());
    EXPECT_TRUE(file->ReadAt(-1, 1, out).status().IsInvalid());
    EXPECT_TRUE(file->Seek(-1).IsInvalid());
    EXPECT_TRUE(file->WillNeed({{-1, 1}}).IsInvalid());
    EXPECT_TRUE(file->ReadAsync(plain, -1, 1).status().IsInvalid());
    EXPECT_EQ(source.request_count(), 0u);
}

TEST_F(arrow_files, read_advances_the_position) {
    const auto file = open();
    std::byte out[20];
    ASSERT_TRUE(file->Seek(line_bytes - 5).ok());
    EXPECT_EQ(file->Read(20, out).ValueOrDie(), 20);
    EXPECT_TRUE(are_made(out, "object", 1, line_bytes - 5));
    const auto next = file->Read(30).ValueOrDie();
    EXPECT_TRUE(are_made(bytes_of(next), "object", 1, line_bytes + 15));
    EXPECT_EQ(file->Tell().ValueOrDie(), static_cast<std::int64_t>(line_bytes + 45));
    ASSERT_TRUE(file->Seek(object_bytes + 5).ok());
    EXPECT_EQ(file->Read(20).ValueOrDie()->size(), 0);
}

TEST_F(arrow_files, a_closed_file_refuses_and_leaves_buffers_valid) {
    const auto file = open();
    const auto read = file->ReadAt(0, 100).ValueOrDie();
    EXPECT_FALSE(file->closed());
    ASSERT_TRUE(file->Close().ok());
    EXPECT_TRUE(file->Close().ok());
    EXPECT_TRUE(file->closed());
    EXPECT_TRUE(file->ReadAt(0, 100).status().IsInvalid());
    EXPECT_TRUE(file->GetSize().status().IsInvalid());
    EXPECT_TRUE(file->Tell().status().IsInvalid());
    EXPECT_TRUE(file->Seek(0).IsInvalid());
    EXPECT_TRUE(file->WillNeed({{0, 1}}).IsInvalid());
    EXPECT_TRUE(file->ReadAsync(plain, 0, 1).status().IsInvalid());
    EXPECT_TRUE(file->ReadManyAsync(arrow::io::IOContext(), {{0, 1}}).front().status().IsInvalid());
    EXPECT_THAT(file->Read(1).status().message(), HasSubstr("object"));
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, 0));
}

TEST_F(arrow_files, a_missing_object_is_not_opened) {
    const auto file = scripted_file::open(cache, "nothing");
    EXPECT_TRUE(file.status().IsIOError());
    EXPECT_THAT(file.status().message(), HasSubstr("there is no nothing"));
}

TEST_F(arrow_files, a_failure_of_the_source_keeps_its_text) {
    const auto file = open();
    source.on_request([](line_read& read) {
        read.fail(scripted_source::failure(source_failure::answered_error));
    });
    std::byte out[1];
    for (const arrow::Status& status :
         {file->ReadAt(0, 100).status(), file->ReadAt(0, 2 * line_bytes).status(),
          file->ReadAt(0, 1, out).status(), file->ReadAsync(plain, 0, 100).status()}) {
        EXPECT_TRUE(status.IsIOError());
        EXPECT_THAT(status.message(), HasSubstr("as the test wants it"));
    }
    source.on_request({});
    EXPECT_TRUE(file->ReadAt(0, 100).ok()) << "failures are not cached";
}

TEST_F(arrow_files, what_else_a_source_throws_becomes_a_status) {
    const auto file = open();
    const auto status_of = [&](std::exception_ptr thrown) {
        source.on_request([thrown](line_read& read) { read.fail(thrown); });
        return file->ReadAt(0, 100).status();
    };
    EXPECT_TRUE(status_of(std::make_exception_ptr(std::bad_alloc())).IsOutOfMemory());
    EXPECT_TRUE(status_of(std::make_exception_ptr(std::runtime_error("why"))).IsIOError());
    EXPECT_TRUE(status_of(std::make_exception_ptr(1)).IsIOError());
    EXPECT_TRUE(status_of(scripted_source::failure(source_failure::cancelled)).IsCancelled());
}

TEST_F(arrow_files, a_full_cache_is_out_of_memory_until_buffers_are_dropped) {
    scripted_cache small(source, options_with(2));
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    auto first = file->ReadAt(0, 100).ValueOrDie();
    const auto second = file->ReadAt(line_bytes, 100).ValueOrDie();
    const arrow::Status refused = file->ReadAt(2 * line_bytes, 100).status();
    EXPECT_TRUE(refused.IsOutOfMemory());
    EXPECT_THAT(refused.message(), HasSubstr("'scripted'"));
    first.reset();
    EXPECT_TRUE(file->ReadAt(2 * line_bytes, 100).ok());
}

TEST_F(arrow_files, a_full_cache_that_waits_serves_a_read_when_a_buffer_is_dropped) {
    line_cache_options options = options_with(1);
    options.when_full = line_cache_options::full::wait;
    scripted_cache small(source, options);
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    auto first = file->ReadAt(0, 100).ValueOrDie();
    auto second = file->ReadAsync(plain, line_bytes, 100);
    first.reset();
    EXPECT_TRUE(are_made(bytes_of(second.result().ValueOrDie()), "object", 1, line_bytes));
}

TEST_F(arrow_files, a_pool_without_memory_fails_a_read_across_lines) {
    get_backwards(cache);
    arrow::CappedMemoryPool pool(arrow::default_memory_pool(), 100);
    const auto file = open(arrow::io::IOContext(&pool));
    EXPECT_TRUE(file->ReadAt(0, 2 * line_bytes).status().IsOutOfMemory());
    EXPECT_TRUE(file->ReadAt(0, line_bytes).ok()) << "what is not copied needs no memory";
}

TEST_F(arrow_files, bytes_of_two_versions_are_never_mixed) {
    const auto file = open();
    ASSERT_TRUE(file->ReadAt(0, 100).ok());
    source.put("object", object_bytes);
    // The first failure is the cache's, the next are the file's: the cache has the new version.
    for (int i = 0; i != 3; ++i) {
        const auto read = file->ReadAt(line_bytes, 100);
        EXPECT_TRUE(read.status().IsIOError()) << "attempt " << i;
        EXPECT_TRUE(file->ReadAt(0, 3 * line_bytes).status().IsIOError()) << "attempt " << i;
    }
    EXPECT_THAT(file->ReadAt(0, 100).status().message(), HasSubstr("open it again"));
    const auto again = open();
    EXPECT_TRUE(are_made(bytes_of(again->ReadAt(0, 100).ValueOrDie()), "object", 2, 0));
}

TEST_F(arrow_files, an_object_that_is_replaced_between_open_and_the_first_read_is_refused) {
    const auto file = open();
    source.put("object", object_bytes - 50);
    EXPECT_TRUE(file->ReadAt(0, 100).status().IsIOError()) << "the source's failure";
    EXPECT_THAT(file->ReadAt(0, 100).status().message(), HasSubstr("open it again"));
    EXPECT_TRUE(open()->ReadAt(0, 100).ok());
}

TEST_F(arrow_files, the_first_read_requires_the_version_that_was_opened) {
    const auto earlier = open();
    source.put("object", object_bytes);
    const auto file = open();
    ASSERT_TRUE(file->ReadAt(0, 100).ok()) << "the last opening counts";
    ASSERT_EQ(source.request_count(), 1u);
    EXPECT_EQ(source.requests().front().entity_tag, "version 2");
    EXPECT_THAT(earlier->ReadAt(0, 100).status().message(), HasSubstr("open it again"));
}

TEST_F(arrow_files, a_replacement_of_another_size_is_refused_without_tags_too) {
    source.without_tags();
    const auto file = open();
    ASSERT_TRUE(file->ReadAt(0, 100).ok());
    cache.invalidate("object");
    source.put("object", object_bytes + 1);
    EXPECT_TRUE(file->ReadAt(0, 100).status().IsIOError());
}

TEST_F(arrow_files, a_requested_stop_refuses_reads) {
    arrow::StopSource stop;
    const auto file = open(arrow::io::IOContext(stop.token()));
    ASSERT_TRUE(file->ReadAt(0, 100).ok());
    stop.RequestStop();
    EXPECT_TRUE(file->ReadAt(0, 100).status().IsCancelled());
    EXPECT_TRUE(file->ReadAsync(file->io_context(), 0, 100).status().IsCancelled());
    EXPECT_TRUE(file->ReadAsync(plain, 0, 100).status().ok()) << "another context";
    EXPECT_TRUE(scripted_file::open(cache, "object", file->io_context()).status().IsCancelled());
}

TEST_F(arrow_files, a_requested_stop_ends_a_wait_for_bytes) {
    arrow::StopSource stop;
    const auto file = open(arrow::io::IOContext(stop.token()));
    source.hold();
    std::thread stopper([&] {
        line_read& held = source.next();
        stop.RequestStop();
        WAIT_UNTIL(!held.wanted());
        held.fail(scripted_source::failure(source_failure::cancelled));
    });
    EXPECT_TRUE(file->ReadAt(0, 100).status().IsCancelled());
    stopper.join();
    source.release();
    EXPECT_TRUE(open()->ReadAt(0, 100).ok());
}

TEST_F(arrow_files, a_requested_stop_ends_a_wait_for_memory) {
    line_cache_options options = options_with(1);
    options.when_full = line_cache_options::full::wait;
    options.wait_limit = std::chrono::hours(1);
    scripted_cache small(source, options);
    const line held = small.get("object", 0);
    arrow::StopSource stop;
    const auto file =
        scripted_file::open(small, "object", arrow::io::IOContext(stop.token())).ValueOrDie();
    std::thread stopper([&] {
        WAIT_UNTIL(small.statistics().misses == 2);
        stop.RequestStop();
    });
    EXPECT_TRUE(file->ReadAt(line_bytes, 100).status().IsCancelled());
    stopper.join();
}

TEST_F(arrow_files, a_requested_stop_ends_a_wait_for_several_lines) {
    static_cast<void>(cache.get("object", 9 * line_bytes));
    arrow::StopSource stop;
    const auto file = open(arrow::io::IOContext(stop.token()));
    source.hold();
    std::thread stopper([&] {
        WAIT_UNTIL(cache.statistics().joined != 0);
        stop.RequestStop();
    });
    EXPECT_TRUE(file->ReadAt(0, 2 * line_bytes).status().IsCancelled());
    stopper.join();
    source.release();
    EXPECT_TRUE(open()->ReadAt(0, 2 * line_bytes).ok());
}

TEST_F(arrow_files, will_need_requests_each_line_once) {
    const auto file = open();
    const std::vector<arrow::io::ReadRange> ranges = {{3 * line_bytes, 10},
                                                      {0, 2 * line_bytes},
                                                      {line_bytes, 10},
                                                      {7 * line_bytes, 2 * line_bytes}};
    ASSERT_TRUE(file->WillNeed(ranges).ok());
    ASSERT_TRUE(file->WillNeed(ranges).ok());
    for (const arrow::io::ReadRange& each : ranges) {
        const auto read = file->ReadAt(each.offset, each.length).ValueOrDie();
        EXPECT_TRUE(are_made(bytes_of(read), "object", 1, static_cast<std::uint64_t>(each.offset)));
    }
    EXPECT_EQ(source.request_count(), 5u);
    ASSERT_TRUE(file->WillNeed({{object_bytes, 10}, {0, 0}}).ok());
    EXPECT_EQ(source.request_count(), 5u);
}

TEST_F(arrow_files, will_need_leaves_room_for_the_lines_that_come_first) {
    scripted_cache small(source, options_with(4));
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    ASSERT_TRUE(file->WillNeed({{0, object_bytes}}).ok());
    ASSERT_TRUE(file->ReadAt(0, 10).ok());
    ASSERT_TRUE(file->ReadAt(line_bytes, 10).ok());
    EXPECT_EQ(source.request_count(), 2u);
    EXPECT_EQ(small.statistics().evictions, 0u);
}

TEST_F(arrow_files, many_asynchronous_reads_request_each_line_once) {
    const auto file = open();
    const std::vector<arrow::io::ReadRange> ranges = {
        {0, 100}, {50, line_bytes}, {5 * line_bytes, line_bytes}, {object_bytes - 20, 20}};
    const auto reads = file->ReadManyAsync(arrow::io::IOContext(), ranges);
    for (std::size_t i = 0; i != ranges.size(); ++i) {
        const auto read = reads[i].result().ValueOrDie();
        EXPECT_EQ(read->size(), ranges[i].length);
        EXPECT_TRUE(
            are_made(bytes_of(read), "object", 1, static_cast<std::uint64_t>(ranges[i].offset)));
    }
    EXPECT_EQ(source.request_count(), 4u);
    EXPECT_EQ(file->statistics().reads, 4u);
}

TEST_F(arrow_files, the_range_cache_of_pre_buffer_requests_each_line_once) {
    const auto file = open();
    arrow::io::CacheOptions options = arrow::io::CacheOptions::Defaults();
    arrow::io::internal::ReadRangeCache ranges(file, {}, options);
    ASSERT_TRUE(ranges.Cache({{0, 100}, {8 * line_bytes, 100}}).ok());
    ASSERT_TRUE(ranges.Wait().status().ok());
    const auto read = ranges.Read({8 * line_bytes, 50}).ValueOrDie();
    EXPECT_TRUE(are_made(bytes_of(read), "object", 1, 8 * line_bytes));
    const std::size_t requests = source.request_count();
    ASSERT_TRUE(file->ReadAt(0, 100).ok());
    EXPECT_EQ(source.request_count(), requests);
}

TEST_F(arrow_files, short_reads_are_refused_to_callers_that_want_none) {
#if ARROW_VERSION_MAJOR >= 26
    const auto file = open();
    EXPECT_TRUE(file->ReadAt(0, 100, false).ok());
    EXPECT_FALSE(file->ReadAt(object_bytes - 10, 100, false).ok());
    EXPECT_TRUE(file->ReadAt(object_bytes - 10, 100, true).ok());
    EXPECT_TRUE(file->ReadAsync(plain, 0, 100, false).status().ok());
    EXPECT_FALSE(file->ReadAsync(plain, object_bytes - 10, 100, false).status().ok());
#endif
}

TEST_F(arrow_files, a_future_keeps_the_file_and_its_cache) {
    auto owned = std::make_shared<scripted_cache>(source, options_with(8));
    auto file = scripted_file::open(owned, "object").ValueOrDie();
    auto read = file->ReadAsync(plain, 100, 200);
    owned.reset();
    file.reset();
    EXPECT_TRUE(are_made(bytes_of(read.result().ValueOrDie()), "object", 1, 100));
}

TEST_F(arrow_files, two_threads_read_one_file) {
    scripted_cache small(source, options_with(4));
    const auto file = scripted_file::open(small, "object").ValueOrDie();
    std::atomic<int> wrong{0};
    const auto work = [&](std::uint64_t seed) {
        for (int i = 0; i != 500; ++i) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            const std::uint64_t at = (seed >> 33) % object_bytes;
            const std::uint64_t size = 1 + (seed >> 20) % (3 * line_bytes);
            const auto read =
                file->ReadAt(static_cast<std::int64_t>(at), static_cast<std::int64_t>(size));
            const std::uint64_t expected = std::min(size, object_bytes - at);
            if (!read.ok() || static_cast<std::uint64_t>((*read)->size()) != expected ||
                !are_made(bytes_of(*read), "object", 1, at)) {
                ++wrong;
            }
        }
    };
    std::thread other(work, 1);
    work(2);
    other.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(small.statistics().most_bytes_held, 4 * line_bytes);
}

}  // namespace
}  // namespace freehold::tests::arrow_file_test
