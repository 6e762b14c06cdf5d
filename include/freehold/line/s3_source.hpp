// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source over one bucket of Amazon S3 or a compatible service. It needs libcurl:
// link freehold::s3. <freehold/freehold.hpp> does not include it.
// When to use it: with a line_cache, for objects of megabytes or more.
// When not: to write objects, or to list them.
// Example: `freehold::s3_source s3({.endpoint = "http://127.0.0.1:9000", .bucket = "tables"});`
//
// Each read is a ranged GET, signed (AWS SigV4), with If-Match if the entity tag is
// known. A retry continues after the last byte that arrived; s3_options says how often and when. A
// redirect is followed within the service's own hosts, signed anew, and remembered.
// fetch works on the calling thread, and keeps its connection for the next fetch, so n readers
// receive on n processors. start passes the read to one thread, created at the first start, that
// drives up to `connections` requests at once. A read that is no longer wanted ends within 50 ms.
// Credentials are got and renewed on a thread that lives as long as that takes. Reads wait for it
// only while there are no valid credentials.
// Messages name object, range, address, status, and the server's own code and text, and no secret.
//
// Units: bytes.
// Complexity: an attempt allocates a libcurl handle and a receive buffer. Each byte is copied once.
// Reads of more than 2 MiB into recycled lines are written past the processor's caches, for half of
// memcpy's cost.
// Thread safety: all functions may be called by several threads at once, except the destructor. A
// child of fork must not use the source, because it would share the connections.
// Exceptions: the constructor throws std::invalid_argument, std::runtime_error if libcurl fails,
// and std::bad_alloc; describe throws source_error. fetch and start report failures by
// line_read::fail.
// Ownership: the source owns its threads and connections. The destructor cancels reads that were
// started, and waits for s3_options::credentials_provider.
// Source: the S3 REST API; AWS Signature Version 4; the AWS SDKs and Tools Reference Guide.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/s3_options.hpp>

#include <memory>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class s3_client;
}

class __attribute__((visibility("default"))) s3_source {
public:
    // Throws std::invalid_argument if the options, completed from the environment and the profile's
    // files, are not usable. Reads the environment, which no other thread may change meanwhile.
    // Contacts no server. If a server gives the credentials, the first read requests them, and
    // fails if it gets none.
    explicit s3_source(s3_options options);
    s3_source(const s3_source&) = delete;
    s3_source& operator=(const s3_source&) = delete;
    ~s3_source();

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;

    // Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object);

    // The figures so far.
    s3_statistics statistics() const noexcept;

private:
    const std::unique_ptr<detail::s3_client> client_;
};

static_assert(line_source<s3_source>);

}  // namespace freehold::inline FREEHOLD_ABI
