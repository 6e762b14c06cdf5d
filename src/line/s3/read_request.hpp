// SPDX-License-Identifier: BSL-1.0
// One line_read of an s3_source, over all its attempts: the requests to the server, the transfer
// from libcurl's buffer into the line, and the consequence of each request's end. A read of no
// bytes requests the object's description only.
//
// | a request asks for | when | leads to |
// |---|---|---|
// | range (GET) | bytes are wanted | description, if the server says that there is no such byte |
// | description (HEAD) | no bytes are wanted; or an object may be empty | first_byte, if refused |
// | first_byte (GET) | a HEAD was refused: only a GET says why | description, if there is none |
//
// A response may show where, by which credentials or by which method the request succeeds. It then
// leads on: the next request is sent at once, and is part of the same attempt. A read is led on at
// most four times.
//
// Invariant: `received_` bytes from the read's offset on have arrived, from the object with the
// entity tag `tag_`. Each retry asks for the bytes after them, from the same version (If-Match).
// Not thread-safe. No exception reaches libcurl.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include "line/reads.hpp"
#include "line/s3/curl.hpp"
#include "line/s3/failure.hpp"
#include "line/s3/response.hpp"
#include "line/s3/service.hpp"
#include "line/s3/signature.hpp"
#include "line/s3/streaming_copy.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

enum class s3_next { ended, at_once, after_a_pause };

class s3_read_request {
public:
    using clock = std::chrono::steady_clock;

    s3_read_request(const s3_service& service, line_read& read);

    // Creates the handle of the next request, which these keys sign. Throws std::bad_alloc, or
    // std::runtime_error if libcurl lacks a feature.
    CURL* prepare(s3_keys keys);

    [[nodiscard]] CURL* handle() const noexcept;
    [[nodiscard]] unsigned attempts() const noexcept;
    [[nodiscard]] bool wanted() const noexcept;

    // Whether fewer than options.least_bytes arrived in options.patience.
    bool is_stalled(clock::time_point now) noexcept;

    // Ends a request. Returns when the next may succeed. If it returns `ended`, the read has been
    // finished or failed, and must not be used any more.
    s3_next conclude(CURLcode outcome) noexcept;

    // Ends the read instead of a request.
    void fail(std::exception_ptr why) noexcept;
    void fail_without_credentials(const std::string& why) noexcept;
    void cancel() noexcept;

private:
    [[nodiscard]] bool is_description() const noexcept;
    // Without a tag, the rest may be from another version than the first bytes.
    [[nodiscard]] bool may_resume() const noexcept;

    void configure();

    static std::size_t on_header(const char* text, std::size_t, std::size_t size, void* self);

    static std::size_t on_body(const char* text, std::size_t, std::size_t size, void* self);

    // Returns what a callback must return to libcurl: anything except `size` ends the attempt.
    template <class Action>
    std::size_t guarded(std::size_t size, Action&& action) noexcept {
        try {
            watched_bytes_ += size;
            action(*this);
            return failure_ || has_enough_ ? size + 1 : size;
        } catch (...) {
            exception_ = std::current_exception();
            return size + 1;
        }
    }

    void take(std::span<const std::byte> bytes);

    // The start of a large read has left the core's cache when its end arrives, so caching it is
    // useless. New pages are in the cache, because the system has just zeroed them.
    void copy(std::byte* to, const std::byte* from, std::size_t size) const noexcept;

    void mark_cancelled();

    // Called once for each successful response, before its first byte is used.
    void check_response();

    void evaluate(CURLcode outcome);
    // Whether the response shows how the same request succeeds; remembers how.
    bool leads_on();

    [[nodiscard]] source_error error() const;

    const s3_service& service_;
    line_read& read_;
    enum class asks { range, description, first_byte };
    asks asks_;
    unsigned attempts_ = 0;  // begun
    unsigned times_led_on_ = 0;
    bool is_led_on_ = false;  // the next request is part of the same attempt
    bool begun_ = false;
    std::uint64_t object_size_ = 0;  // valid once begun
    std::uint64_t expected_ = 0;     // bytes in total, valid once begun
    std::uint64_t received_ = 0;
    std::string tag_;  // empty: any

    // The state of the current request.
    s3_keys keys_;
    std::shared_ptr<const bucket_address> address_;
    std::string path_;  // percent-encoded
    curl_list headers_;
    std::array<char, CURL_ERROR_SIZE> message_{};
    s3_response response_;
    bool checked_ = false;
    std::uint64_t unwanted_ = 0;  // bytes that come before the wanted ones
    bool has_enough_ = false;     // the rest is not wanted
    bool leads_on_ = false;
    std::optional<s3_failure> failure_;
    std::exception_ptr exception_;
    clock::time_point watched_since_;
    std::uint64_t watched_bytes_ = 0;
    curl_easy easy_;  // last, because it refers to the others and must be destroyed first
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
