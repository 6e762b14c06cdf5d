// SPDX-License-Identifier: BSL-1.0
// Servers that say that a request belongs elsewhere, that know no ranges, and empty objects.
#include <freehold/line/s3_source.hpp>

#include "contracts/observed_read.hpp"
#include "line/aws_variables.hpp"
#include "line/http_server.hpp"
#include "line/s3/bucket_address.hpp"
#include "line/s3/read_request.hpp"
#include "line/s3/service.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::s3_redirects_test {
namespace {

using contracts::observed_read;
using detail::bucket_address;
using detail::bucket_address_of;
using detail::redirected;
using detail::s3_response;

s3_options options_of(const std::string& endpoint, bool path_style = true) {
    s3_options options;
    options.endpoint = endpoint;
    options.region = "us-east-1";
    options.bucket = "bucket";
    options.path_style = path_style;
    options.credentials = s3_credentials{"KEY", "SECRET"};
    return options;
}

s3_response response_of(int status, const std::string& location, const std::string& region) {
    s3_response response;
    response.take_header("HTTP/1.1 " + std::to_string(status) + " x");
    response.take_header("Location: " + location);
    response.take_header("x-amz-bucket-region: " + region);
    return response;
}

std::string address_after(const s3_options& options, const s3_response& response) {
    const auto to = redirected(bucket_address_of(options), options, response, "a/b");
    return to ? to->server + to->path + " in " + to->region : "nowhere";
}

TEST(a_redirect, leads_to_hosts_of_the_service) {
    const s3_options amazon = options_of("https://s3.us-east-1.amazonaws.com");
    const auto after = [&](const std::string& location, const std::string& region = "") {
        return address_after(amazon, response_of(307, location, region));
    };
    EXPECT_EQ(after("https://bucket.s3-eu-west-1.amazonaws.com/a/b"),
              "https://bucket.s3-eu-west-1.amazonaws.com/ in eu-west-1");
    EXPECT_EQ(after("https://s3.eu-west-1.amazonaws.com/bucket/a/b", "eu-west-1"),
              "https://s3.eu-west-1.amazonaws.com/bucket/ in eu-west-1");
    EXPECT_EQ(after("https://bucket.s3.amazonaws.com/a/b", "eu-west-1"),
              "https://bucket.s3.amazonaws.com/ in eu-west-1");
    EXPECT_EQ(after("", "eu-west-1"), "https://s3.eu-west-1.amazonaws.com/bucket/ in eu-west-1");
    for (const char* const foreign :
         {"https://example.com/a/b", "http://s3.eu-west-1.amazonaws.com/bucket/a/b",
          "https://ec2-1-2-3-4.compute-1.amazonaws.com/bucket/a/b",
          "https://s3.eu-west-1.amazonaws.com.example.com/bucket/a/b",
          "https://other.s3.eu-west-1.amazonaws.com/a/b",
          "https://s3.eu-west-1.amazonaws.com@example.com/bucket/a/b",
          "https://s3.eu-west-1.amazonaws.com.cn/bucket/a/b",
          "https://s3.eu-west-1.amazonaws.com:444/bucket/a/b",
          "https://s3.x.y.amazonaws.com/bucket/a/b", "/bucket/a/b", "//example.com/a/b",
          "https://s3.eu-west-1.amazonaws.com/bucket/a/other",
          "https://s3.eu-west-1.amazonaws.com/bucket/a/b?x", "https://", "garbage"}) {
        EXPECT_EQ(after(foreign), "nowhere") << foreign;
    }
}

TEST(a_redirect, of_another_service_stays_on_its_host) {
    const s3_options minio = options_of("http://store:9000/sub");
    const auto after = [&](const std::string& location, const std::string& region = "") {
        return address_after(minio, response_of(307, location, region));
    };
    EXPECT_EQ(after("", "there-2"), "http://store:9000/sub/bucket/ in there-2");
    EXPECT_EQ(after("http://bucket.store:9000/a/b"), "http://bucket.store:9000/ in us-east-1");
    EXPECT_EQ(after("https://store:9000/bucket/a/b"), "https://store:9000/bucket/ in us-east-1");
    EXPECT_EQ(after("http://store:9001/bucket/a/b"), "nowhere");
    EXPECT_EQ(after("https://s3.eu-west-1.amazonaws.com/bucket/a/b"), "nowhere");
    EXPECT_EQ(after("http://store:9000/sub/bucket/a/b"), "nowhere");  // where it is already
    EXPECT_EQ(after("", "not a region\r\n"), "nowhere");
    const s3_options secure = options_of("https://store");
    EXPECT_EQ(address_after(secure, response_of(301, "http://store/bucket/a/b", "")), "nowhere");
}

TEST(a_redirect, may_be_an_error_that_names_the_region) {
    s3_response response = response_of(400, "", "");
    EXPECT_EQ(address_after(options_of("https://s3.us-east-1.amazonaws.com", false), response),
              "nowhere");
    response.take_error(
        "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>");
    EXPECT_EQ(address_after(options_of("https://s3.us-east-1.amazonaws.com", false), response),
              "https://bucket.s3.eu-west-1.amazonaws.com/ in eu-west-1");
}

class a_server_elsewhere : public testing::Test {
protected:
    const std::string content_ = std::string(1'000, 'x') + "and the end";
    aws_variables variables_;
};

TEST_F(a_server_elsewhere, in_another_region_is_found_and_remembered) {
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.header("authorization").find("/there-2/s3/") != std::string::npos) {
            connection.serve(request, content_, "\"tag\"");
        } else {
            connection.answer("301 Moved Permanently", {"x-amz-bucket-region: there-2"},
                              "<Error><Code>PermanentRedirect</Code></Error>");
        }
    });
    s3_options asked = options_of(server.endpoint());
    asked.attempts = 1;
    s3_source source(asked);
    for (int i = 0; i != 3; ++i) {
        observed_read read("object", 990, 100);
        source.fetch(read);
        EXPECT_TRUE(read.finished()) << read.message();
    }
    EXPECT_EQ(source.describe("object").size, content_.size());
    EXPECT_EQ(server.requests().size(), 5u);
}

TEST_F(a_server_elsewhere, does_not_use_up_an_attempt) {
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 1) {
            connection.answer("301 Moved Permanently", {"x-amz-bucket-region: there-2"}, "");
        } else if (request.number == 2) {
            connection.answer("503 Slow Down", {}, "");
        } else {
            connection.serve(request, content_, "\"tag\"");
        }
    });
    s3_options asked = options_of(server.endpoint());
    asked.attempts = 2;
    s3_source source(asked);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
}

// The back-off doubles with the number of attempts.
TEST_F(a_server_elsewhere, is_no_attempt_and_no_retry) {
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.number == 2) {
            connection.answer("503 Slow Down", {}, "");
        } else {
            connection.answer("301 Moved Permanently",
                              {"x-amz-bucket-region: there-" + std::to_string(request.number)}, "");
        }
    });
    s3_options asked = options_of(server.endpoint());
    asked.attempts = 2;
    const detail::s3_service service(asked);
    observed_read read("object", 0, 100);
    detail::s3_read_request request(service, read);
    struct state {
        detail::s3_next next;
        unsigned attempts;
        std::uint64_t retries;
        bool operator==(const state&) const = default;
    };
    std::vector<state> states;
    do {
        const CURLcode outcome = curl_easy_perform(request.prepare(service.credentials.ask().keys));
        const detail::s3_next next = request.conclude(outcome);
        states.push_back({next, request.attempts(), service.statistics().retries});
    } while (states.back().next != detail::s3_next::ended);
    using enum detail::s3_next;
    const std::vector<state> expected = {{at_once, 1, 0}, {after_a_pause, 1, 0}, {at_once, 2, 1},
                                         {at_once, 2, 1}, {at_once, 2, 1},       {ended, 2, 1}};
    EXPECT_EQ(states, expected);
    EXPECT_EQ(service.statistics().requests, 6u);
    EXPECT_THAT(read.message(), testing::HasSubstr("(after 2 attempts)"));
}

TEST_F(a_server_elsewhere, at_another_path_of_the_host_is_followed) {
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.path == "/new/bucket/a%20b") {
            connection.serve(request, content_, "\"tag\"");
        } else {
            connection.answer("307 Temporary Redirect",
                              {"Location: http://" + request.header("host") + "/new/bucket/a%20b"},
                              "");
        }
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("a b", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(source.describe("a b").size, content_.size());
    EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(a_server_elsewhere, of_somebody_else_gets_nothing) {
    http_server other([&](const http_request& request, http_connection& connection) {
        connection.serve(request, content_, "\"tag\"");
    });
    http_server server([&](const http_request& request, http_connection& connection) {
        connection.answer("307 Temporary Redirect",
                          {"Location: " + other.endpoint() + request.path + "?secret=1"}, "");
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::answered_error);
    EXPECT_NE(read.message().find(other.endpoint()), std::string::npos) << read.message();
    EXPECT_EQ(read.message().find("secret"), std::string::npos) << read.message();
    EXPECT_EQ(other.requests().size(), 0u);
}

TEST_F(a_server_elsewhere, that_redirects_without_end_is_left) {
    http_server server([&](const http_request& request, http_connection& connection) {
        const bool is_there =
            request.header("authorization").find("/there-1/") != std::string::npos;
        connection.answer(
            "301 Moved Permanently",
            {std::string("x-amz-bucket-region: ") + (is_there ? "there-2" : "there-1")}, "");
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::answered_error);
    EXPECT_LE(server.requests().size(), 8u);
}

// It answers 200 with all of the object.
class a_server_without_ranges : public a_server_elsewhere {
protected:
    http_server server_{[this](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {"ETag: \"tag\""}, content_);
    }};
};

TEST_F(a_server_without_ranges, is_read_up_to_what_was_asked) {
    s3_source source(options_of(server_.endpoint()));
    struct range {
        std::uint64_t offset;
        std::uint64_t size;
    };
    for (const range& one : {range{0, 10}, range{0, 5'000}, range{990, 15}, range{1'005, 6}}) {
        observed_read read("object", one.offset, one.size);
        source.fetch(read);
        ASSERT_TRUE(read.finished()) << read.message();
        const std::string expected = content_.substr(one.offset, one.size);
        const auto bytes = read.bytes();
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), expected);
        EXPECT_EQ(read.info().size, content_.size());
    }
    observed_read behind("object", content_.size(), 10);
    source.fetch(behind);
    EXPECT_EQ(behind.reason(), source_failure::past_the_end);
}

TEST_F(a_server_without_ranges, is_not_read_for_nothing_without_bound) {
    http_server large([&](const http_request&, http_connection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nETag: \"tag\"\r\nContent-Length: 99000000000\r\n\r\n");
        while (connection.is_open()) connection.send(content_);
    });
    s3_source source(options_of(large.endpoint()));
    observed_read read("object", 98'000'000'000, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::wrong_length);
    observed_read start("object", 0, 100);
    source.fetch(start);
    EXPECT_TRUE(start.finished()) << start.message();
}

TEST_F(a_server_elsewhere, with_an_empty_object_gives_no_bytes) {
    http_server server([&](const http_request& request, http_connection& connection) {
        connection.serve(request, "", "\"empty\"");
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.info().size, 0u);
    EXPECT_EQ(read.info().entity_tag, "\"empty\"");
    observed_read of_version("object", 0, 100, "\"empty\"");
    source.fetch(of_version);
    EXPECT_TRUE(of_version.finished()) << of_version.message();
    observed_read behind("object", 1, 100);
    source.fetch(behind);
    EXPECT_EQ(behind.reason(), source_failure::past_the_end);
}

TEST_F(a_server_elsewhere, may_answer_200_for_an_empty_object) {
    http_server server([&](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {"ETag: \"empty\""}, "");
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(a_server_elsewhere, may_fill_an_object_that_was_empty) {
    http_server server([&](const http_request& request, http_connection& connection) {
        connection.serve(request, request.number == 1 ? std::string() : content_, "\"tag\"");
    });
    s3_source source(options_of(server.endpoint()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(read.got(), 100u);
}

}  // namespace
}  // namespace freehold::s3_redirects_test
