// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/s3_source.hpp>

#include "contracts/observed_read.hpp"
#include "line/http_server.hpp"
#include "line/s3/back_off.hpp"
#include "wait_until.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::s3_back_off_test {
namespace {

using detail::s3_back_off;
using namespace std::chrono_literals;

s3_options options(std::chrono::milliseconds first, std::chrono::milliseconds longest) {
    s3_options options;
    options.first_delay = first;
    options.longest_delay = longest;
    return options;
}

std::vector<std::chrono::milliseconds> delays(s3_back_off& back_off, unsigned attempts,
                                              std::size_t count) {
    std::vector<std::chrono::milliseconds> all(count);  // NOLINT(freehold-hidden-zeroing): a test
    std::generate(all.begin(), all.end(), [&] { return back_off.next(attempts); });
    return all;
}

TEST(s3_back_off, is_uniform_up_to_a_doubling_bound) {
    s3_back_off back_off(options(100ms, 500ms), 1);
    unsigned attempts = 0;
    for (const auto bound : {100ms, 200ms, 400ms, 500ms, 500ms}) {
        ++attempts;
        const auto all = delays(back_off, attempts, 2'000);
        std::vector<int> tenths(10);
        for (const auto delay : all) {
            ASSERT_GE(delay, 0ms);
            ASSERT_LE(delay, bound) << attempts;
            ++tenths[std::min<std::size_t>(9, static_cast<std::size_t>(10 * delay / bound))];
        }
        for (const int count : tenths) EXPECT_NEAR(count, 200, 60) << attempts;
    }
}

TEST(s3_back_off, is_zero_if_configured) {
    s3_back_off back_off(options(0ms, 0ms));
    for (unsigned attempts = 1; attempts != 40; ++attempts) EXPECT_EQ(back_off.next(attempts), 0ms);
}

TEST(s3_back_off, differs_between_clients_that_fail_together) {
    s3_back_off one(options(24h, 24h));
    s3_back_off other(options(24h, 24h));
    EXPECT_NE(delays(one, 1, 4), delays(other, 1, 4));
}

// The second attempt may come at any time within a year.
TEST(s3_back_off, delays_retries_and_ends_on_cancellation) {
    http_server server([](const http_request&, http_connection& connection) {
        connection.answer("503 Slow Down", {}, "");
    });
    s3_options asked = options(24h * 365, 24h * 365);
    asked.endpoint = server.endpoint();
    asked.bucket = "bucket";
    asked.credentials = s3_credentials{"KEY", "SECRET", ""};
    asked.attempts = 1'000;
    s3_source source(asked);
    contracts::observed_read read("object", 0, 100);
    std::thread fetching([&] { source.fetch(read); });
    WAIT_UNTIL(!server.requests().empty());
    read.cancel();
    read.wait_for_end();
    fetching.join();
    EXPECT_EQ(read.reason(), source_failure::cancelled) << read.message();
    EXPECT_EQ(server.requests().size(), 1u);
}

}  // namespace
}  // namespace freehold::s3_back_off_test
