// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/s3_source.hpp>

#include "line/http_server.hpp"
#include "line/sources_without_memory.hpp"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace freehold::tests::s3_without_memory_test {
namespace {

TEST(s3_source_out_of_memory, ends_every_read) {
    const std::string object(1'000, 'x');
    http_server server([&](const http_request& request, http_connection& connection) {
        if (request.path.ends_with("/present")) {
            connection.serve(request, object, "\"a tag that no small string can hold\"");
        } else {
            connection.answer("404 Not Found", {},
                              "<Error><Code>NoSuchKey</Code><Message>None</Message></Error>");
        }
    });
    s3_options options;
    options.endpoint = server.endpoint();
    options.bucket = "bucket";
    options.credentials = s3_credentials{"KEY", "SECRET", ""};
    const auto make_source = [&] { return std::make_unique<s3_source>(options); };
    EXPECT_GT(fetch_without_memory(make_source, "present"), 0);
    EXPECT_GT(fetch_without_memory(make_source, "absent"), 0);
}

}  // namespace
}  // namespace freehold::tests::s3_without_memory_test
