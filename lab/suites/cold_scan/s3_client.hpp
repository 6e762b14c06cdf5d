// SPDX-License-Identifier: BSL-1.0
// Reads and writes objects over libcurl, like a program without a cache. It has one handle, whose
// connection is kept for the next request. libcurl signs the requests. The suite writes its data
// with it, and the subjects that are compared with the cache read with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace lab::cold_scan {

/// The place of a bucket, and the account for requests to it.
struct s3_access {
    std::string endpoint;  // "http://HOST:PORT"
    std::string region;
    std::string bucket;
    std::string access_key;
    std::string secret_key;
};

/// One client must not be used by several threads at the same time. Throws std::runtime_error that
/// names the object and the answer.
class s3_client {
public:
    explicit s3_client(s3_access access);
    ~s3_client();
    s3_client(const s3_client&) = delete;
    s3_client& operator=(const s3_client&) = delete;

    void make_bucket();

    /// Calls `fill` for each piece in turn. The last piece may be shorter than the others.
    void put(const std::string& object, std::uint64_t size, std::size_t piece,
             const std::function<void(std::span<std::byte>)>& fill);

    /// Reads the object's bytes from `offset` on, as many as fit into `to`.
    void get(const std::string& object, std::uint64_t offset, std::span<std::byte> to);

    void remove(const std::string& object);

private:
    class handle;
    std::unique_ptr<handle> handle_;
};

}  // namespace lab::cold_scan
