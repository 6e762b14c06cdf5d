// SPDX-License-Identifier: BSL-1.0
// s3_source and servers or connections that misbehave.
#include <freehold/line/s3_source.hpp>

#include "contracts/content.hpp"
#include "contracts/observed_read.hpp"
#include "line/http_server.hpp"
#include "line/s3/retry_budget.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::s3_faults_test {
namespace {

using contracts::observed_read;
using namespace std::chrono_literals;

constexpr const char* tag = "\"first\"";

std::string object_of(std::size_t size) {
    const auto content = contracts::content_of("object", size);
    return {reinterpret_cast<const char*>(content.data()), size};
}

std::string text_of(const observed_read& read) {
    const auto bytes = read.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

s3_options options_for(const std::string& endpoint) {
    s3_options options;
    options.endpoint = endpoint;
    options.region = "here-1";
    options.bucket = "bucket";
    options.credentials = s3_credentials{"KEY", "SECRET", ""};
    options.attempts = 3;
    options.first_delay = 1ms;
    options.longest_delay = 5ms;
    return options;
}

// For servers that stop answering. Any other server must answer within this time, even if other
// tests run at the same time.
s3_options impatient_options_for(const std::string& endpoint) {
    s3_options options = options_for(endpoint);
    options.patience = 600ms;
    return options;
}

// The headers of a partial answer for an object of `size` bytes.
std::string part_headers(std::uint64_t first, std::uint64_t last, std::uint64_t size,
                         const std::string& its_tag = tag) {
    return "HTTP/1.1 206 Partial Content\r\nETag: " + its_tag + "\r\nContent-Range: bytes " +
           std::to_string(first) + "-" + std::to_string(last) + "/" + std::to_string(size) +
           "\r\nContent-Length: " + std::to_string(last - first + 1) + "\r\n\r\n";
}

std::string error_body(const std::string& code, const std::string& message) {
    return "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>" + message +
           "</Message></Error>";
}

TEST(s3_faults, retries_after_server_errors_and_slow_down) {
    const std::string object = object_of(10'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 1) {
            connection.answer("503 Slow Down", {}, error_body("SlowDown", "Reduce your rate"));
        } else if (request.number == 2) {
            connection.answer("500 Internal Server Error", {}, error_body("InternalError", ""));
        } else {
            connection.serve(request, object, tag);
        }
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 10'000);
    source.fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(text_of(read), object);
    EXPECT_EQ(source.statistics().requests, 3u);
    EXPECT_EQ(source.statistics().retries, 2u);
    EXPECT_EQ(source.statistics().bytes, 10'000u);
}

TEST(s3_faults, reports_the_last_answer) {
    http_server server([](const http_request&, http_connection& connection) {
        connection.answer("503 Slow Down", {}, error_body("SlowDown", "Reduce your rate"));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("a/b", 4'096, 4'096);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::answered_error);
    EXPECT_EQ(read.message(), "object 'a/b', bytes 4096-8191 at " + server.endpoint() +
                                  "/bucket/: 503 Slow Down: SlowDown: Reduce your rate (after 3 "
                                  "attempts)");
    EXPECT_EQ(server.requests().size(), 3u);
}

TEST(s3_faults, sends_no_more_retries_than_the_budget_allows_until_reads_succeed) {
    const std::string object = object_of(100);
    std::atomic<bool> is_overloaded{true};
    http_server server([&](const http_request& request, http_connection& connection) {
        if (is_overloaded) return connection.answer("503 Slow Down", {}, "");
        connection.serve(request, object, tag);
    });
    s3_options options = options_for(server.endpoint());
    options.retry_budget = 3;
    s3_source source(options);
    const auto attempts_of = [&](bool succeeds) {
        const std::uint64_t before = source.statistics().requests;
        observed_read read("object", 0, 100);
        source.fetch(read);
        EXPECT_EQ(read.finished(), succeeds) << read.message();
        return source.statistics().requests - before;
    };
    EXPECT_EQ(attempts_of(false), 3u);
    EXPECT_EQ(attempts_of(false), 2u);
    observed_read last("object", 0, 100);
    source.fetch(last);
    EXPECT_EQ(last.reason(), source_failure::answered_error);
    EXPECT_NE(last.message().find("503 Slow Down (no retry: the retry budget is used up)"),
              std::string::npos)
        << last.message();
    EXPECT_EQ(source.statistics().retries, 3u);
    EXPECT_EQ(source.statistics().retries_refused, 2u);

    is_overloaded = false;
    for (int i = 0; i != 5; ++i) EXPECT_EQ(attempts_of(true), 1u);
    is_overloaded = true;
    EXPECT_EQ(attempts_of(false), 2u);
    EXPECT_EQ(attempts_of(false), 1u);
}

TEST(s3_faults, returns_to_the_budget_what_a_successful_read_took) {
    detail::s3_retry_budget budget(1);
    for (int i = 0; i != 3; ++i) {
        ASSERT_TRUE(budget.take());
        EXPECT_FALSE(budget.take());
        budget.succeeded(2);
    }
    for (int i = 0; i != 100; ++i) budget.succeeded(1);
    EXPECT_TRUE(budget.take());
    EXPECT_FALSE(budget.take()) << "never more than at the beginning";
    detail::s3_retry_budget none(0);
    none.succeeded(1);
    EXPECT_FALSE(none.take());
}

TEST(s3_faults, does_not_retry_permanent_failures) {
    struct refusal {
        const char* status;
        source_failure reason;
        const char* said;
    };
    for (const refusal& one :
         {refusal{"403 Forbidden", source_failure::refused, "403 Forbidden (asked as 'KEY'"},
          refusal{"401 Unauthorized", source_failure::refused, "401 Unauthorized"},
          refusal{"404 Not Found", source_failure::not_found, "404 Not Found"},
          refusal{"412 Precondition Failed", source_failure::changed, "no longer \"old\""},
          refusal{"416 Range Not Satisfiable", source_failure::past_the_end, "416 Range"},
          refusal{"301 Moved Permanently", source_failure::answered_error, "301 Moved"},
          refusal{"400 Bad Request", source_failure::answered_error, "400 Bad Request"}}) {
        http_server server([&](const http_request&, http_connection& connection) {
            connection.answer(one.status, {}, "");
        });
        s3_source source(options_for(server.endpoint()));
        observed_read read("object", 10, 100, "\"old\"");
        source.fetch(read);
        EXPECT_EQ(read.reason(), one.reason) << one.status;
        EXPECT_NE(read.message().find(one.said), std::string::npos) << read.message();
        EXPECT_EQ(server.requests().size(), 1u) << one.status;
    }
}

TEST(s3_faults, reports_a_clock_for_which_a_server_may_refuse_a_signature) {
    http_server server([](const http_request&, http_connection& connection) {
        connection.answer("403 Forbidden", {"Date: Fri, 24 May 2013 00:00:00 GMT"},
                          error_body("RequestTimeTooSkewed", "The difference is too large."));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_NE(read.message().find("this machine's clock is "), std::string::npos) << read.message();
    EXPECT_NE(read.message().find(" s ahead of the server's"), std::string::npos) << read.message();
}

TEST(s3_faults, does_not_report_a_clock_that_is_right) {
    std::array<char, 64> date{};
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::strftime(date.data(), date.size(), "Date: %a, %d %b %Y %H:%M:%S GMT", &parts);
    http_server server([&](const http_request&, http_connection& connection) {
        connection.answer("403 Forbidden", {date.data()}, error_body("AccessDenied", "No."));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.message().find("clock"), std::string::npos) << read.message();
}

TEST(s3_faults, resumes_after_a_broken_connection) {
    const std::string object = object_of(300'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 3) return connection.serve(request, object, tag);
        const std::uint64_t first = request.first();
        connection.send(part_headers(first, 299'999, 300'000));
        connection.send(std::string_view(object).substr(first, 100'000));
        connection.close();
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 300'000);
    source.fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(text_of(read), object);
    const std::vector<http_request> requests = server.requests();
    ASSERT_EQ(requests.size(), 3u);
    EXPECT_EQ(requests[0].header("if-match"), "");
    EXPECT_EQ(requests[1].header("range"), "bytes=100000-299999");
    EXPECT_EQ(requests[1].header("if-match"), tag);
    EXPECT_EQ(requests[2].header("range"), "bytes=200000-299999");
}

TEST(s3_faults, does_not_resume_without_an_entity_tag) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 1) return connection.close();
        connection.send(
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-999/1000\r\n"
            "Content-Length: 1000\r\n\r\n" +
            object.substr(0, 400));
        connection.close();
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 1'000);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::unreachable) << read.message();
    EXPECT_EQ(read.got(), 400u);
    EXPECT_EQ(server.requests().size(), 2u);  // a retry, as long as nothing has arrived
}

TEST(s3_faults, fails_if_connections_keep_breaking) {
    http_server server([&](const http_request& request, http_connection& connection) {
        connection.send(part_headers(request.first(), 999, 1'000) + "x");
        connection.close();
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 1'000);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::unreachable) << read.message();
    EXPECT_EQ(read.got(), 3u);
}

TEST(s3_faults, detects_a_change_between_attempts) {
    const std::string object = object_of(1'000);
    for (const bool heeds_if_match : {true, false}) {
        http_server server([&](const http_request& request, http_connection& connection) {
            if (request.number == 1) {
                connection.send(part_headers(0, 999, 1'000) + object.substr(0, 400));
                connection.close();
            } else if (heeds_if_match) {
                connection.serve(request, object, "\"second\"");
            } else {
                connection.send(part_headers(400, 999, 1'000, "\"second\"") + object.substr(400));
            }
        });
        s3_source source(options_for(server.endpoint()));
        observed_read read("object", 0, 1'000);
        source.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::changed) << read.message();
        EXPECT_EQ(read.got(), 400u);
        EXPECT_EQ(server.requests().size(), 2u);
    }
}

// A server that heeds If-Match says 412; these do not.
TEST(s3_faults, reports_an_object_that_shrinks_while_it_is_read) {
    const std::string object = object_of(1'000);
    const std::string whole = "HTTP/1.1 200 OK\r\nETag: " + std::string(tag) + "\r\n";
    const std::string answers[] = {
        "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */300\r\n"
        "Content-Length: 0\r\n\r\n",
        part_headers(400, 599, 600) + object.substr(400, 200),
        whole + "Content-Length: 600\r\n\r\n" + object.substr(0, 600),
        whole + "Content-Length: 0\r\n\r\n"};
    for (const std::string& answer : answers) {
        http_server server([&](const http_request& request, http_connection& connection) {
            if (request.number == 1) {
                connection.send(part_headers(0, 999, 1'000) + object.substr(0, 400));
                connection.close();
            } else {
                connection.send(answer);
            }
        });
        s3_source source(options_for(server.endpoint()));
        observed_read read("object", 0, 1'000);
        source.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::changed) << read.message();
        EXPECT_EQ(text_of(read), object.substr(0, 400));
        EXPECT_EQ(server.requests().size(), 2u);
    }
}

TEST(s3_faults, reports_an_object_that_is_deleted_while_it_is_read) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 1) {
            connection.send(part_headers(0, 999, 1'000) + object.substr(0, 400));
            connection.close();
        } else {
            connection.answer("404 Not Found", {}, error_body("NoSuchKey", "It is gone."));
        }
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 1'000);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::not_found) << read.message();
    EXPECT_EQ(text_of(read), object.substr(0, 400));
}

// A child has copies of the sockets, and of libcurl's state. Its end must not end the transfer.
TEST(s3_faults, are_not_caused_by_a_fork_in_the_middle_of_a_read) {
    const std::string object = object_of(100'000);
    std::atomic<bool> has_forked{false};
    http_server server([&](const http_request& request, http_connection& connection) {
        connection.send(part_headers(0, 99'999, 100'000) + object.substr(0, 40'000));
        if (request.number <= 2) WAIT_UNTIL(has_forked);
        connection.send(object.substr(40'000));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read started("object", 0, 100'000);
    observed_read fetched("object", 0, 100'000);
    source.start(started);
    std::thread fetching([&] { source.fetch(fetched); });
    started.wait_for_bytes(1);
    fetched.wait_for_bytes(1);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    has_forked = true;
    started.wait_for_end();
    fetching.join();
    for (const observed_read* const read : {&started, &fetched}) {
        EXPECT_TRUE(read->finished()) << read->message();
        EXPECT_EQ(text_of(*read), object);
    }
    EXPECT_EQ(source.statistics().retries, 0u);
}

TEST(s3_faults, are_none_on_ipv6) {
    std::optional<http_server> server;
    const std::string object = object_of(1'000);
    try {
        server.emplace([&](const http_request& request,
                           http_connection& connection) { connection.serve(request, object, tag); },
                       http_server::loopback::ipv6);
    } catch (const std::system_error& error) {
        return tests::skip_without("ipv6", error.what());
    }
    s3_source source(options_for(server->endpoint()));
    observed_read read("object", 10, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(text_of(read), object.substr(10, 100));
    EXPECT_EQ(source.describe("object").size, 1'000u);
}

TEST(s3_faults, times_out_without_an_answer) {
    http_server server(
        [](const http_request&, http_connection& connection) { connection.say_nothing(); });
    s3_options options = impatient_options_for(server.endpoint());
    options.attempts = 2;
    s3_source source(options);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::timed_out);
    EXPECT_NE(read.message().find("4096 bytes arrived in 600 ms"), std::string::npos)
        << read.message();
    EXPECT_EQ(source.statistics().requests, 2u);
}

// However long the server takes to get that far: until then the requests start at the beginning.
TEST(s3_faults, retries_on_another_connection_after_a_stall) {
    const std::string object = object_of(50'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.first() != 0) return connection.serve(request, object, tag);
        connection.send(part_headers(0, 49'999, 50'000) + object.substr(0, 20'000));
        connection.say_nothing();
    });
    s3_options options = impatient_options_for(server.endpoint());
    options.attempts = 1'000;
    s3_source source(options);
    observed_read read("object", 0, 50'000);
    source.fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(text_of(read), object);
    EXPECT_EQ(server.requests().back().header("range"), "bytes=20000-49999");
}

TEST(s3_faults, times_out_on_a_slow_trickle) {
    http_server server([](const http_request&, http_connection& connection) {
        connection.send(part_headers(0, 999'999, 1'000'000));
        while (connection.is_open()) {
            connection.send("x");
            std::this_thread::sleep_for(5ms);
        }
    });
    s3_options options = impatient_options_for(server.endpoint());
    options.attempts = 1;
    s3_source source(options);
    observed_read read("object", 0, 1'000'000);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::timed_out) << read.message();
    EXPECT_GT(read.got(), 0u);
}

TEST(s3_faults, requests_the_rest_of_a_short_answer) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request& request, http_connection& connection) {
        const std::uint64_t first = request.first();
        const std::uint64_t last = std::min<std::uint64_t>(first + 499, 999);
        connection.send(part_headers(first, last, 1'000));
        connection.send(std::string_view(object).substr(first, last - first + 1));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 1'000);
    source.fetch(read);
    ASSERT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(text_of(read), object);

    observed_read too_long("object", 0, 2'000);  // ends at 1000 anyway
    source.fetch(too_long);
    EXPECT_TRUE(too_long.finished()) << too_long.message();
}

TEST(s3_faults, refuses_more_bytes_than_requested) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request&, http_connection& connection) {
        connection.send(part_headers(0, 999, 1'000) + object);
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::wrong_length) << read.message();
    EXPECT_EQ(read.got(), 100u);
}

TEST(s3_faults, refuses_other_bytes_than_requested) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request&, http_connection& connection) {
        connection.send(part_headers(0, 99, 1'000) + object.substr(0, 100));
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 500, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::wrong_length) << read.message();
    EXPECT_EQ(read.got(), 0u);
}

TEST(s3_faults, refuses_an_answer_that_is_not_an_object) {
    http_server server([&](const http_request&, http_connection& connection) {
        connection.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::answered_error);
    EXPECT_NE(read.message().find("is this an S3 server?"), std::string::npos) << read.message();
}

TEST(s3_faults, fails_on_answers_that_are_not_http) {
    http_server server([&](const http_request&, http_connection& connection) {
        connection.send(std::string("\0\1\2 220 smtp ready\r\n", 20));
        connection.close();
    });
    s3_source source(options_for(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::unreachable) << read.message();
}

TEST(s3_faults, reports_a_refused_connection) {
    std::string endpoint;
    {
        const http_server gone([](const http_request&, http_connection&) {});
        endpoint = gone.endpoint();
    }
    s3_source source(options_for(endpoint));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::unreachable);
    EXPECT_NE(read.message().find(endpoint), std::string::npos) << read.message();
    EXPECT_EQ(source.statistics().requests, 3u);
    EXPECT_THROW(static_cast<void>(source.describe("object")), source_error);
}

TEST(s3_faults, ends_a_cancelled_read_of_a_silent_server) {
    http_server server(
        [](const http_request&, http_connection& connection) { connection.say_nothing(); });
    s3_options options = options_for(server.endpoint());
    options.patience = 1h;
    s3_source source(options);
    observed_read started("object", 0, 100);
    source.start(started);
    observed_read fetched("object", 0, 100);
    std::thread fetching([&] { source.fetch(fetched); });
    WAIT_UNTIL(server.requests().size() == 2);
    started.cancel();
    fetched.cancel();
    started.wait_for_end();
    fetched.wait_for_end();
    fetching.join();
    EXPECT_EQ(started.reason(), source_failure::cancelled);
    EXPECT_EQ(fetched.reason(), source_failure::cancelled);
}

TEST(s3_faults, cancels_started_reads_at_destruction) {
    const std::string object = object_of(1'000);
    http_server server([&](const http_request&, http_connection& connection) {
        connection.send(part_headers(0, 999, 1'000) + object.substr(0, 10));
        connection.say_nothing();
    });
    s3_options options = options_for(server.endpoint());
    options.patience = 1h;
    options.connections = 2;
    auto source = std::make_unique<s3_source>(options);
    std::vector<std::unique_ptr<observed_read>> reads;
    for (int i = 0; i != 5; ++i) {
        reads.push_back(std::make_unique<observed_read>("object", 0, 1'000));
        source->start(*reads.back());
    }
    reads[0]->wait_for_bytes(10);
    source.reset();
    for (const auto& read : reads) {
        ASSERT_TRUE(read->ended());
        EXPECT_EQ(read->reason(), source_failure::cancelled);
    }
}

}  // namespace
}  // namespace freehold::s3_faults_test
