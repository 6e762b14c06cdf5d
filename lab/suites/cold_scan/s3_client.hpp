// SPDX-License-Identifier: BSL-1.0
// Objects over libcurl as a program does it that has no cache: one handle, whose connection is kept
// for the next request, signed by libcurl. It writes the suite's data, and the subjects that are
// compared with the cache read by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace lab::cold_scan {

/// Where a bucket is, and as whom it is asked.
struct s3_access {
    std::string endpoint;  // "http://HOST:PORT"
    std::string region;
    std::string bucket;
    std::string access_key;
    std::string secret_key;
};

/// Whatever goes wrong is a std::runtime_error that names the object and what was answered. For one
/// thread at a time.
class s3_client {
public:
    explicit s3_client(s3_access access);
    ~s3_client();
    s3_client(const s3_client&) = delete;
    s3_client& operator=(const s3_client&) = delete;

    void make_bucket();

    /// `fill` is called for each piece in turn, the last of which may be shorter than the others.
    void put(const std::string& object, std::uint64_t size, std::size_t piece,
             const std::function<void(std::span<std::byte>)>& fill);

    /// The object's bytes from `offset` on, as many as there is room for.
    void get(const std::string& object, std::uint64_t offset, std::span<std::byte> to);

    void remove(const std::string& object);

private:
    class handle;
    std::unique_ptr<handle> handle_;
};

}  // namespace lab::cold_scan
