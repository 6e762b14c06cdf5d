// SPDX-License-Identifier: BSL-1.0
// What s3_source sends: credentials, ranges, addresses, and connections.
#include <freehold/line/s3_source.hpp>

#include "contracts/observed_read.hpp"
#include "line/aws_variables.hpp"
#include "line/http_server.hpp"
#include "line/s3/service.hpp"
#include "line/s3/signature.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <curl/curl.h>
#include <gtest/gtest.h>

namespace freehold::s3_requests_test {
namespace {

using contracts::observed_read;
using namespace std::chrono_literals;

// A server with one object, and a source that reads it.
class s3_requests : public testing::Test {
protected:
    s3_options options() const {
        s3_options options;
        options.endpoint = server_.endpoint();
        options.region = "here-1";
        options.bucket = "bucket";
        options.credentials = s3_credentials{"KEY", "SECRET", ""};
        return options;
    }

    // The request that a read causes.
    http_request request_of(const s3_options& asked, const std::string& object = "object",
                            const std::string& tag = "") {
        s3_source source(asked);
        observed_read read(object, 10, 20, tag);
        source.fetch(read);
        EXPECT_TRUE(read.finished()) << read.message();
        const std::vector<http_request> requests = server_.requests();
        if (!requests.empty()) return requests.back();
        ADD_FAILURE() << "no request came";
        return {};
    }

    const std::string content_ = std::string(100, 'x');
    http_server server_{[this](const http_request& request, http_connection& connection) {
        connection.serve(request, content_, "\"tag\"");
    }};
    aws_variables environment_;
};

TEST_F(s3_requests, request_a_signed_range) {
    const http_request request = request_of(options(), "a folder/ü+.bin", "\"tag\"");
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.path, "/bucket/a%20folder/%C3%BC%2B.bin");
    EXPECT_EQ(request.header("range"), "bytes=10-29");
    EXPECT_EQ(request.header("if-match"), "\"tag\"");
    EXPECT_EQ(request.header("x-amz-content-sha256"), "UNSIGNED-PAYLOAD");
    EXPECT_EQ(request.header("x-amz-security-token"), "");
    const std::string signature = request.header("authorization");
    EXPECT_EQ(signature.rfind("AWS4-HMAC-SHA256 Credential=KEY/", 0), 0u) << signature;
    EXPECT_NE(signature.find("/here-1/s3/aws4_request"), std::string::npos) << signature;
    EXPECT_NE(signature.find("x-amz-content-sha256"), std::string::npos) << signature;
    EXPECT_NE(signature.find("if-match"), std::string::npos) << signature;
    EXPECT_EQ(signature.find("SECRET"), std::string::npos) << signature;
}

TEST_F(s3_requests, keep_dots_in_names) {
    EXPECT_EQ(request_of(options(), "a/../b/./c").path, "/bucket/a/../b/./c");
}

TEST_F(s3_requests, sign_the_session_token) {
    s3_options temporary = options();
    temporary.credentials->session_token = "TOKEN";
    const http_request request = request_of(temporary);
    EXPECT_EQ(request.header("x-amz-security-token"), "TOKEN");
    EXPECT_NE(request.header("authorization").find("x-amz-security-token"), std::string::npos);
}

TEST_F(s3_requests, carry_the_signature_of_what_is_sent) {
    s3_options asked = options();
    asked.credentials->session_token = "TOKEN";
    for (const char* const name : {"object", "a/../b//c", "a b+\xc3\xbc"}) {
        const http_request request = request_of(asked, name, "\"tag\"");
        detail::s3_signable signable{request.method, request.path, {}, "UNSIGNED-PAYLOAD"};
        for (const char* const header : {"host", "if-match", "range", "x-amz-content-sha256",
                                         "x-amz-date", "x-amz-security-token"}) {
            signable.headers[header] = request.header(header);
        }
        EXPECT_EQ(request.header("authorization"),
                  detail::s3_authorization(signable, {request.header("x-amz-date"), "here-1"},
                                           *asked.credentials));
    }
}

TEST_F(s3_requests, name_the_bucket_in_the_host_if_configured) {
    if (curl_version_info(CURLVERSION_NOW)->version_num < 0x075500)
        return tests::skip_without("libcurl_localhost",
                                   "before 7.85, libcurl does not know names below localhost");
    s3_options by_host = options();
    const std::string port = by_host.endpoint.substr(by_host.endpoint.rfind(':'));
    by_host.endpoint = "http://localhost" + port + "/";
    by_host.path_style = false;
    const http_request request = request_of(by_host);
    EXPECT_EQ(request.path, "/object");
    EXPECT_EQ(request.header("host"), "bucket.localhost" + port);
}

TEST_F(s3_requests, name_the_path_of_the_endpoint) {
    s3_options below = options();
    below.endpoint += "/storage/";
    EXPECT_EQ(request_of(below).path, "/storage/bucket/object");
}

TEST_F(s3_requests, name_no_port_that_is_the_default) {
    const auto host_of = [&](const std::string& endpoint) {
        s3_options asked = options();
        asked.endpoint = endpoint;
        return detail::s3_service(asked).address()->host;
    };
    EXPECT_EQ(host_of("http://there:80"), "there");
    EXPECT_EQ(host_of("https://there:443/path"), "there");
    EXPECT_EQ(host_of("http://there:443"), "there:443");
    EXPECT_EQ(host_of("https://[::80]"), "[::80]");
}

TEST_F(s3_requests, take_credentials_region_and_endpoint_from_the_environment) {
    environment_.set("AWS_ACCESS_KEY_ID", "ENVKEY");
    environment_.set("AWS_SECRET_ACCESS_KEY", "ENVSECRET");
    environment_.set("AWS_SESSION_TOKEN", "ENVTOKEN");
    environment_.set("AWS_REGION", "there-2");
    environment_.set("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    environment_.set("AWS_ENDPOINT_URL_S3", server_.endpoint());
    s3_options open;
    open.bucket = "bucket";
    const http_request request = request_of(open);
    EXPECT_NE(request.header("authorization").find("Credential=ENVKEY/"), std::string::npos);
    EXPECT_NE(request.header("authorization").find("/there-2/s3/"), std::string::npos);
    EXPECT_EQ(request.header("x-amz-security-token"), "ENVTOKEN");
}

TEST_F(s3_requests, take_credentials_from_the_profile_file) {
    const temporary_folder folder;
    const std::string file = folder.write("credentials",
                                          "# made up\n"
                                          "[default]\n"
                                          "aws_access_key_id = FIRST\n"
                                          "aws_secret_access_key = one\n"
                                          "\n"
                                          "[ second ]\r\n"
                                          "aws_access_key_id=SECOND\r\n"
                                          "aws_secret_access_key=two==\r\n"
                                          "aws_session_token = three\r\n");
    environment_.set("AWS_SHARED_CREDENTIALS_FILE", file);
    s3_options open = options();
    open.credentials.reset();
    EXPECT_NE(request_of(open).header("authorization").find("Credential=FIRST/"),
              std::string::npos);
    environment_.set("AWS_PROFILE", "second");
    const http_request request = request_of(open);
    EXPECT_NE(request.header("authorization").find("Credential=SECOND/"), std::string::npos);
    EXPECT_EQ(request.header("x-amz-security-token"), "three");

    environment_.set("AWS_PROFILE", "third");
    try {
        s3_source source(open);
        FAIL() << "there are no such credentials";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("profile 'third' of " + file), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("AWS_ACCESS_KEY_ID"), std::string::npos);
    }
}

TEST_F(s3_requests, take_region_and_endpoint_from_the_profile) {
    const temporary_folder home;
    home.write(".aws/config",
               "[profile here]\naws_access_key_id = KEY\n"
               "aws_secret_access_key = one\nregion = there-3\nendpoint_url = " +
                   server_.endpoint() + "/\n");
    environment_.set("HOME", home.path().string());
    environment_.set("AWS_PROFILE", "here");
    s3_options open;
    open.bucket = "bucket";
    EXPECT_NE(request_of(open).header("authorization").find("/there-3/s3/"), std::string::npos);
}

TEST_F(s3_requests, take_the_endpoint_from_the_services_of_the_profile) {
    const temporary_folder home;
    home.write(".aws/config",
               "[default]\naws_access_key_id = KEY\naws_secret_access_key = one\n"
               "endpoint_url = http://127.0.0.1:1\nservices = local\n"
               "[services local]\ns3 =\n  endpoint_url = " +
                   server_.endpoint() + "/\n");
    environment_.set("HOME", home.path().string());
    s3_options open;
    open.bucket = "bucket";
    EXPECT_NE(request_of(open).header("authorization").find("Credential=KEY/"), std::string::npos);
}

TEST_F(s3_requests, take_credentials_from_the_home_folder) {
    const temporary_folder home;
    home.write(".aws/credentials",
               "[default]\naws_access_key_id = ATHOME\naws_secret_access_key = one\n");
    environment_.set("HOME", home.path().string());
    s3_options open = options();
    open.credentials.reset();
    EXPECT_NE(request_of(open).header("authorization").find("Credential=ATHOME/"),
              std::string::npos);
}

TEST_F(s3_requests, refuse_impossible_options) {
    const auto refuse = [&](auto spoil) {
        s3_options spoilt = options();
        spoil(spoilt);
        EXPECT_THROW(s3_source{spoilt}, std::invalid_argument);
    };
    refuse([](s3_options& o) { o.endpoint = "localhost:9000"; });
    refuse([](s3_options& o) { o.endpoint = "http://user:password@localhost"; });
    refuse([](s3_options& o) { o.endpoint = "http://localhost/?query"; });
    refuse([](s3_options& o) { o.region = "here-1\r\nx-amz-acl: public"; });
    refuse([](s3_options& o) { o.credentials->access_key = "KEY "; });
    refuse([](s3_options& o) { o.credentials->session_token = "TO\nKEN"; });
    refuse([](s3_options& o) { o.bucket = ""; });
    refuse([](s3_options& o) { o.bucket = "bucket/folder"; });
    refuse([](s3_options& o) { o.attempts = 0; });
    refuse([](s3_options& o) { o.connections = 0; });
    refuse([](s3_options& o) { o.patience = 0ms; });
    refuse([](s3_options& o) { o.connect_timeout = 0ms; });
    refuse([](s3_options& o) { o.longest_delay = o.first_delay - 1ms; });
}

TEST_F(s3_requests, reuse_one_connection) {
    s3_source source(options());
    for (int i = 0; i != 10; ++i) {
        observed_read read("object", 0, 100);
        source.fetch(read);
        ASSERT_TRUE(read.finished()) << read.message();
    }
    EXPECT_EQ(source.describe("object").size, 100u);
    EXPECT_EQ(server_.connections(), 1u);
}

TEST_F(s3_requests, reconnect_after_the_server_closed) {
    http_server server([this](const http_request& request, http_connection& connection) {
        connection.serve(request, content_, "\"tag\"");
        connection.close();
    });
    s3_options asked = options();
    asked.endpoint = server.endpoint();
    s3_source source(asked);
    for (int i = 0; i != 3; ++i) {
        observed_read read("object", 0, 100);
        source.fetch(read);
        ASSERT_TRUE(read.finished()) << read.message();
    }
    EXPECT_EQ(server.connections(), 3u);
}

TEST_F(s3_requests, use_as_many_connections_as_allowed) {
    // The first request is answered when there are three. A client that never sends three gives up.
    std::atomic<int> held{0};
    http_server server([&](const http_request& request, http_connection& connection) {
        ++held;
        WAIT_UNTIL(held >= 3);
        connection.serve(request, content_, "\"tag\"");
    });
    s3_options asked = options();
    asked.endpoint = server.endpoint();
    asked.connections = 3;
    asked.patience = 1min;
    s3_source source(asked);
    std::vector<std::unique_ptr<observed_read>> reads;
    for (int i = 0; i != 12; ++i) {
        reads.push_back(std::make_unique<observed_read>("object", 0, 100));
        source.start(*reads.back());
    }
    for (const auto& read : reads) {
        read->wait_for_end();
        EXPECT_TRUE(read->finished()) << read->message();
    }
    EXPECT_EQ(server.most_connections_at_once(), 3u);
    EXPECT_EQ(server.requests().size(), 12u);
}

}  // namespace
}  // namespace freehold::s3_requests_test
