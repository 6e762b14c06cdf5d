// SPDX-License-Identifier: BSL-1.0
// README.md's ten lines over S3, as they stand there, on a real server. Skipped where that is not
// installed; scripts/test installs it.
#include "contracts/content.hpp"
#include "servers/s3_server.hpp"
#include "skip.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

std::ptrdiff_t count_newlines(std::string_view key);

namespace documented_s3_test {
namespace {

constexpr std::byte newline{'\n'};

void set(const char* variable, std::string_view value) {
    ASSERT_EQ(::setenv(variable, std::string(value).c_str(), 1), 0);
}

TEST(documented_s3, counts_the_newlines_of_an_object_and_requests_each_line_of_it_once) {
    const auto executable = lab::find_versitygw();
    if (!executable) return freehold::tests::skip_without("s3", lab::s3_server::how_to_install);
    // Ends after the source of the ten lines, which has connections to it.
    static const lab::s3_server server(*executable);
    for (const char* const variable : {"AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN"}) {
        ::unsetenv(variable);
    }
    set("AWS_ENDPOINT_URL", server.endpoint());
    set("AWS_REGION", lab::s3_server::region);
    set("AWS_ACCESS_KEY_ID", server.access_key());
    set("AWS_SECRET_ACCESS_KEY", server.secret_key());

    // Two lines and the beginning of a third, with newlines on both sides of each edge.
    constexpr std::size_t line = std::size_t{8} << 20;
    auto log = freehold::contracts::content_of("log", 2 * line + 12'345);
    log[0] = log[line - 1] = log[line] = log[2 * line - 1] = log[2 * line] = log.back() = newline;
    server.make_bucket("logs");
    server.put("logs", "2026/november", log);

    const auto expected = std::count(log.begin(), log.end(), newline);
    std::vector<std::ptrdiff_t> counted(3);
    std::vector<std::thread> readers;
    for (std::ptrdiff_t& count : counted) {
        readers.emplace_back([&count] { count = count_newlines("2026/november"); });
    }
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(counted, std::vector(3, expected));

    for (int i = 0; i != 5'000 && server.reads_of("2026/november") < 3; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(server.reads_of("2026/november"), 3u);
}

}  // namespace
}  // namespace documented_s3_test
