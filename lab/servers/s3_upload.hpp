// SPDX-License-Identifier: BSL-1.0
// What a test or a suite does to an S3 server besides reading: buckets and objects made and
// removed. One connection, kept between requests. Not thread-safe.
#pragma once

#include "servers/s3_server.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <curl/curl.h>

namespace lab {

class s3_upload {
public:
    /// The keys are of that server: http://HOST:PORT.
    s3_upload(std::string endpoint, const std::string& access_key, const std::string& secret_key);
    explicit s3_upload(const s3_server& server)
        : s3_upload(server.endpoint(), server.access_key(), server.secret_key()) {}

    /// Throws std::runtime_error with what the server answered if that is no success. No object:
    /// the bucket itself; no bucket: the server.
    void send(const char* method, std::string_view bucket, std::string_view object,
              std::span<const std::byte> body);

private:
    struct cleanup {
        void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
    };

    const std::string endpoint_;
    const std::string user_;  // as libcurl takes both keys
    std::unique_ptr<CURL, cleanup> easy_;
};

}  // namespace lab
