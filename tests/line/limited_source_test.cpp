// SPDX-License-Identifier: BSL-1.0
// Which reads of a limited_source wait, and what ends the wait. Where a read must wait in a test,
// its limit makes it wait for days; so no test depends on the machine's speed.
#include <freehold/line/limited_source.hpp>
#include <freehold/line/line_cache.hpp>

#include "contracts/observed_read.hpp"
#include "line/rate_limit.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::tests::limited_source_test {
namespace {

using namespace std::chrono_literals;
using contracts::observed_read;
using limited = limited_source<scripted_source>;

constexpr double one_in_a_year = 3e-8;
constexpr std::uint64_t a_year_at_1_mb = 30'000'000'000'000;  // bytes

class limited_sources : public testing::Test {
protected:
    limited_sources() { source.put("a", 3'000); }

    static limited_source_options with_requests(double per_second) {
        limited_source_options options;
        options.requests_per_second = per_second;
        options.burst = 0ms;
        return options;
    }
    static limited_source_options with_bytes(double per_second) {
        limited_source_options options;
        options.bytes_per_second = per_second;
        options.burst = 0ms;
        return options;
    }
    static limited_source_options with_in_flight(std::size_t reads) {
        limited_source_options options;
        options.in_flight = reads;
        return options;
    }
    static void expect_done(observed_read& read) {
        read.wait_for_end();
        EXPECT_TRUE(read.finished()) << read.message();
        EXPECT_TRUE(are_made(read.bytes(), "a", 1, read.offset()));
    }
    static void expect_cancelled(observed_read& read) {
        read.cancel();
        read.wait_for_end();
        EXPECT_EQ(read.reason(), source_failure::cancelled);
        EXPECT_THAT(read.message(), testing::HasSubstr("object 'a', bytes 0-99: cancelled while"));
    }

    scripted_source source;
};

using time_point = detail::rate_limit::clock::time_point;
constexpr time_point start{1000h};

TEST(rate_limits, allow_a_charge_when_the_charges_before_are_paid) {
    detail::rate_limit rate(10, 0ms);
    EXPECT_LE(rate.due(), start);
    rate.charge(5, start);
    EXPECT_EQ(rate.due(), start + 500ms);
    rate.charge(20, start + 500ms);
    EXPECT_EQ(rate.due(), start + 2500ms);
    rate.charge(1, start + 10s);
    EXPECT_EQ(rate.due(), start + 10'100ms) << "nothing is saved up";
}

TEST(rate_limits, save_up_the_burst_and_no_more) {
    detail::rate_limit rate(10, 2s);
    for (int i = 0; i != 20; ++i) {
        EXPECT_LE(rate.due(), start) << i;
        rate.charge(1, start);
    }
    rate.charge(1, start);
    EXPECT_EQ(rate.due(), start + 100ms);
    rate.charge(30, start + 1h);
    EXPECT_EQ(rate.due(), start + 1h + 1s);
}

TEST(rate_limits, refund) {
    detail::rate_limit rate(10, 0ms);
    rate.charge(100, start);
    rate.refund(90);
    EXPECT_EQ(rate.due(), start + 1s);
}

TEST(rate_limits, take_any_amount) {
    detail::rate_limit none(0, 1s);
    none.charge(1e300, start);
    EXPECT_LE(none.due(), start);
    detail::rate_limit slow(1e-300, 1s);
    slow.charge(1e300, start);
    EXPECT_GT(slow.due(), start + 24h);
}

TEST_F(limited_sources, without_limits_delay_nothing) {
    limited all(source, {});
    for (int i = 0; i != 50; ++i) {
        observed_read read("a", 0, 3'000);
        all.fetch(read);
        expect_done(read);
    }
    EXPECT_EQ(all.describe("a").size, 3'000u);
    const limited_source_statistics now = all.statistics();
    EXPECT_EQ(now.reads, 50u);
    EXPECT_EQ(now.delayed, 0u);
    EXPECT_EQ(now.descriptions, 1u);
    EXPECT_EQ(now.bytes, 150'000u);
    EXPECT_EQ(now.in_flight, 0u);
}

TEST_F(limited_sources, pass_on_a_number_of_reads_at_once_in_order) {
    source.hold();
    limited two(source, with_in_flight(2));
    std::vector<std::unique_ptr<observed_read>> reads;
    for (std::uint64_t i = 0; i != 5; ++i) {
        reads.push_back(std::make_unique<observed_read>("a", i * 500, 500));
        two.start(*reads.back());
    }
    EXPECT_EQ(source.request_count(), 2u);
    EXPECT_EQ(two.statistics().in_flight, 2u);
    EXPECT_EQ(two.statistics().waiting, 3u);
    for (std::uint64_t i = 0; i != 5; ++i) {
        line_read& next = source.next();
        EXPECT_EQ(next.offset(), i * 500);
        EXPECT_LE(two.statistics().in_flight, 2u);
        source.serve(next);
        expect_done(*reads[i]);
    }
    EXPECT_EQ(two.statistics().delayed, 3u);
    EXPECT_EQ(two.statistics().waiting, 0u);
}

TEST_F(limited_sources, let_fetches_wait_beside_started_reads) {
    source.hold();
    limited one(source, with_in_flight(1));
    observed_read started("a", 0, 3'000);
    one.start(started);
    observed_read fetched("a", 0, 3'000);
    std::thread fetching([&] { one.fetch(fetched); });
    WAIT_UNTIL(one.statistics().waiting == 1);
    EXPECT_FALSE(fetched.ended());
    source.release();
    fetching.join();
    expect_done(started);
    expect_done(fetched);
}

TEST_F(limited_sources, let_reads_wait_for_the_rate_of_requests) {
    limited slow(source, with_requests(one_in_a_year));
    observed_read first("a", 0, 100);
    slow.fetch(first);
    expect_done(first);
    observed_read started("a", 0, 100);
    slow.start(started);
    observed_read fetched("a", 0, 100);
    std::thread fetching([&] { slow.fetch(fetched); });
    WAIT_UNTIL(slow.statistics().waiting == 2);
    expect_cancelled(fetched);
    fetching.join();
    expect_cancelled(started);
    EXPECT_EQ(slow.statistics().cancelled, 2u);
    EXPECT_EQ(slow.statistics().waiting, 0u);
    EXPECT_EQ(source.request_count(), 1u);
}

TEST_F(limited_sources, charge_descriptions_as_requests) {
    limited slow(source, with_requests(one_in_a_year));
    EXPECT_EQ(slow.describe("a").size, 3'000u);
    observed_read read("a", 0, 100);
    slow.start(read);
    EXPECT_EQ(slow.statistics().waiting, 1u);
    expect_cancelled(read);
}

TEST_F(limited_sources, describe_while_all_reads_in_flight_are_taken) {
    source.hold();
    limited one(source, with_in_flight(1));
    observed_read read("a", 0, 100);
    one.start(read);
    EXPECT_EQ(one.describe("a").size, 3'000u);
    source.release();
    expect_done(read);
}

TEST_F(limited_sources, let_reads_wait_for_the_rate_of_bytes) {
    limited slow(source, with_bytes(1e-6));
    observed_read first("a", 0, 100);
    slow.fetch(first);
    expect_done(first);
    observed_read second("a", 0, 100);
    slow.start(second);
    EXPECT_EQ(slow.statistics().waiting, 1u);
    expect_cancelled(second);
}

TEST_F(limited_sources, charge_no_bytes_that_the_object_does_not_have) {
    class counting_read final : public line_read {
    public:
        counting_read() : line_read("a", 0, a_year_at_1_mb, "") {}
        bool begin(const object_info&) noexcept override { return true; }
        std::span<std::byte> room() noexcept override { return bytes_; }
        bool arrived(std::size_t) noexcept override { return true; }
        [[nodiscard]] bool wanted() const noexcept override { return true; }
        void finish() noexcept override { has_finished = true; }
        void fail(std::exception_ptr) noexcept override {}
        bool has_finished = false;

    private:
        std::vector<std::byte> bytes_ = std::vector<std::byte>(3'000);
    };
    limited slow(source, with_bytes(1e6));
    for (int i = 0; i != 3; ++i) {
        counting_read read;
        slow.fetch(read);
        EXPECT_TRUE(read.has_finished);
    }
}

TEST_F(limited_sources, charge_no_bytes_that_did_not_arrive) {
    source.on_request(
        [](line_read& read) { read.fail(scripted_source::failure(source_failure::unreachable)); });
    limited slow(source, with_bytes(1e-3));
    for (int i = 0; i != 3; ++i) {
        observed_read read("a", 0, 3'000);
        slow.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::unreachable);
    }
    EXPECT_EQ(slow.statistics().bytes, 0u);
}

TEST_F(limited_sources, cancel_waiting_reads_when_they_are_destroyed) {
    observed_read first("a", 0, 100);
    observed_read second("a", 0, 100);
    {
        limited slow(std::make_unique<scripted_source>(), with_requests(one_in_a_year));
        slow.source().put("a", 3'000);
        slow.start(first);
        slow.start(second);
        first.wait_for_end();
    }
    EXPECT_TRUE(first.finished());
    ASSERT_TRUE(second.ended());
    EXPECT_EQ(second.reason(), source_failure::cancelled);
}

TEST_F(limited_sources, serve_a_line_cache) {
    constexpr std::uint64_t line_size = 4096;
    source.put("b", 20 * line_size);
    limited_source_options options = with_requests(10'000);
    options.bytes_per_second = 1e9;
    options.in_flight = 2;
    limited paced(source, options);
    line_cache_options asked = room_for(10, line_size);
    asked.prefetch = 4;
    line_cache<limited> cache(paced, asked);
    for (int round = 0; round != 5; ++round) {
        for (std::uint64_t i = 0; i != 20; ++i) {
            const line found = cache.get("b", i * line_size);
            EXPECT_TRUE(are_made(found.bytes(), "b", 1, i * line_size));
        }
    }
    EXPECT_GE(paced.statistics().reads, 20u);
}

TEST_F(limited_sources, refuse_impossible_options) {
    const auto refused = [&](const limited_source_options& options) {
        try {
            limited all(source, options);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused(with_requests(-1)), testing::HasSubstr("requests_per_second is -1"));
    EXPECT_THAT(refused(with_bytes(std::numeric_limits<double>::quiet_NaN())),
                testing::HasSubstr("or 0 for no limit"));
    EXPECT_THAT(refused(with_bytes(std::numeric_limits<double>::infinity())),
                testing::HasSubstr("bytes_per_second is inf"));
    limited_source_options options;
    options.burst = -1ms;
    EXPECT_THAT(refused(options), testing::HasSubstr("burst is -1 ms"));
    options.burst = 2h;
    EXPECT_THAT(refused(options), testing::HasSubstr("0 to 3600000"));
}

TEST_F(limited_sources, print_their_statistics) {
    limited all(source, {});
    observed_read read("a", 0, 100);
    all.fetch(read);
    std::ostringstream printed;
    printed << all.statistics();
    EXPECT_EQ(
        printed.str(),
        "1 reads, 0 of them delayed, 0 descriptions, 0 reads cancelled; 100 bytes; 0 reads in "
        "flight, 0 waiting\n");
}

}  // namespace
}  // namespace freehold::tests::limited_source_test
