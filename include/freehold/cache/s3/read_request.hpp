// SPDX-License-Identifier: BSL-1.0
// One line_read of an s3_source, over as many attempts as it takes: what is asked of the server,
// the way of the bytes from libcurl's buffer into the line, and what follows from how an attempt
// ended. A read of no bytes asks for the object's description alone (HEAD).
//
// Invariant: `got_` bytes from the read's offset on have arrived, of the object whose entity tag is
// `tag_`; each further attempt asks for what follows them, of that object and no other (If-Match).
// Costs an easy handle, two short strings and a list of headers for each attempt; a byte is copied
// once by this side of the kernel. Used by one thread at a time. Nothing here throws to libcurl.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/read_name.hpp>
#include <freehold/cache/s3/answer.hpp>
#include <freehold/cache/s3/curl.hpp>
#include <freehold/cache/s3/problem.hpp>
#include <freehold/cache/s3/service.hpp>
#include <freehold/cache/s3/streaming_copy.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_read_request {
public:
    using clock = std::chrono::steady_clock;

    s3_read_request(const s3_service& service, line_read& read)
        : service_(service), read_(read), tag_(read.entity_tag()) {}

    // Makes the handle of the next attempt. Throws std::bad_alloc, or std::runtime_error if libcurl
    // lacks what is needed.
    CURL* prepare() {
        easy_.reset(curl_easy_init());
        if (easy_ == nullptr) throw std::bad_alloc();
        answer_ = s3_answer();
        problem_.reset();
        checked_ = false;
        message_.front() = '\0';
        ask();
        ++attempts_;
        service_.requests.add(1);
        if (attempts_ > 1) service_.retries.add(1);
        watched_since_ = clock::now();
        watched_bytes_ = 0;
        return easy_.get();
    }

    [[nodiscard]] CURL* handle() const noexcept { return easy_.get(); }
    [[nodiscard]] unsigned attempts() const noexcept { return attempts_; }
    [[nodiscard]] bool wanted() const noexcept { return read_.wanted(); }

    // Whether too little has come for too long.
    bool is_stuck(clock::time_point now) noexcept {
        if (now - watched_since_ < service_.options.patience) return false;
        const bool stuck = watched_bytes_ < service_.options.least_bytes;
        watched_since_ = now;
        watched_bytes_ = 0;
        return stuck;
    }

    // The attempt has ended so. True: another one may succeed. False: the read has been told how it
    // ended, and must not be touched any more.
    bool conclude(CURLcode outcome) noexcept {
        try {
            judge(outcome);
            easy_.reset();
            if (!problem_) {
                read_.finish();
                return false;
            }
            if (problem_->may_pass && may_go_on() && attempts_ < service_.options.attempts)
                return true;
            read_.fail(std::make_exception_ptr(error()));
        } catch (...) {
            read_.fail(std::current_exception());
        }
        return false;
    }

    // In place of an attempt, or of its end.
    void fail(std::exception_ptr why) noexcept { read_.fail(std::move(why)); }
    void cancel() noexcept {
        try {
            problem_ = {source_failure::cancelled, "cancelled", false};
            fail(std::make_exception_ptr(error()));
        } catch (...) {
            fail(std::current_exception());
        }
    }

private:
    [[nodiscard]] bool is_description() const noexcept { return read_.size() == 0; }
    // Without a tag nobody can tell whether the rest is of the object that the first bytes are of.
    [[nodiscard]] bool may_go_on() const noexcept { return got_ == 0 || !tag_.empty(); }

    void ask() {
        CURL* const easy = easy_.get();
        const s3_options& options = service_.options;
        headers_.reset();
        append(headers_, "x-amz-content-sha256: UNSIGNED-PAYLOAD");
        if (!service_.credentials.session_token.empty()) {
            append(headers_, "x-amz-security-token: " + service_.credentials.session_token);
        }
        if (!tag_.empty()) append(headers_, "If-Match: " + tag_);
        set_option(easy, CURLOPT_HTTPHEADER, headers_.get());
        if (is_description()) {
            set_option(easy, CURLOPT_NOBODY, 1L);
        } else {
            const std::uint64_t first = read_.offset() + got_;
            const std::uint64_t last = read_.offset() + read_.size() - 1;
            const std::string range = std::to_string(first) + "-" + std::to_string(last);
            set_option(easy, CURLOPT_RANGE, range.c_str());
        }

        set_option(easy, CURLOPT_URL, service_.url_of(read_.object()).c_str());
        set_option(easy, CURLOPT_PATH_AS_IS,
                   1L);  // ".." is part of an object's name like any other
        set_option(easy, CURLOPT_AWS_SIGV4, service_.signing.c_str());
        set_option(easy, CURLOPT_USERNAME, service_.credentials.access_key.c_str());
        set_option(easy, CURLOPT_PASSWORD, service_.credentials.secret_key.c_str());
        set_option(easy, CURLOPT_USERAGENT, "freehold");
        // One request on a connection at a time: parallel requests come over parallel connections.
        set_option(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
        set_option(easy, CURLOPT_BUFFERSIZE,
                   static_cast<long>(std::min<std::size_t>(options.receive_buffer,
                                                           std::size_t{CURL_MAX_READ_SIZE})));
        set_option(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(options.connect_timeout.count()));
        set_option(easy, CURLOPT_NOSIGNAL, 1L);
        set_option(easy, CURLOPT_TCP_KEEPALIVE, 1L);
        if (service_.is_local) set_option(easy, CURLOPT_PROXY, "");
        if (!options.certificates.empty()) {
            set_option(easy, CURLOPT_CAINFO, options.certificates.c_str());
        }
        set_option(easy, CURLOPT_ERRORBUFFER, message_.data());
        set_option(easy, CURLOPT_PRIVATE, static_cast<void*>(this));
        set_option(easy, CURLOPT_HEADERDATA, static_cast<void*>(this));
        set_option(easy, CURLOPT_WRITEDATA, static_cast<void*>(this));
        set_option(easy, CURLOPT_HEADERFUNCTION, &on_header);
        set_option(easy, CURLOPT_WRITEFUNCTION, &on_body);
    }

    static std::size_t on_header(const char* text, std::size_t, std::size_t size, void* self) {
        return static_cast<s3_read_request*>(self)->guarded(size, [&](s3_read_request& request) {
            request.answer_.take_header({text, size});
        });
    }

    static std::size_t on_body(const char* text, std::size_t, std::size_t size, void* self) {
        return static_cast<s3_read_request*>(self)->guarded(size, [&](s3_read_request& request) {
            if (request.answer_.is_success()) {
                request.take(std::as_bytes(std::span(text, size)));
            } else {
                request.answer_.take_error({text, size});
            }
        });
    }

    // What a callback returns to libcurl: anything but `size` ends the attempt.
    template <class Action>
    std::size_t guarded(std::size_t size, Action&& action) noexcept {
        try {
            watched_bytes_ += size;
            action(*this);
            return problem_ ? size + 1 : size;
        } catch (...) {
            memory_failure_ = std::current_exception();
            return size + 1;
        }
    }

    void take(std::span<const std::byte> bytes) {
        check_answer();
        service_.bytes.add(bytes.size());
        while (!bytes.empty() && !problem_) {
            if (got_ == expected_) {
                problem_ = {source_failure::wrong_length, "more bytes came than were asked for",
                            false};
                return;
            }
            const std::span<std::byte> room = read_.room();
            const auto most = static_cast<std::size_t>(
                std::min<std::uint64_t>({bytes.size(), room.size(), expected_ - got_}));
            copy(room.data(), bytes.data(), most);
            got_ += most;
            bytes = bytes.subspan(most);
            if (!read_.arrived(most) && got_ != expected_) be_cancelled();
        }
    }

    // Of what does not fit into a core's cache, the first bytes have left it when the last arrive.
    // A new page is in it, for the system has just zeroed it.
    void copy(std::byte* to, const std::byte* from, std::size_t size) const noexcept {
        if (expected_ > cache_of_a_core && read_.room_is_recycled()) {
            streaming_copy(to, from, size);
        } else {
            std::memcpy(to, from, size);
        }
    }

    void be_cancelled() { problem_ = {source_failure::cancelled, "cancelled", false}; }

    // Once for each answer that is a success, before its first byte is used.
    void check_answer() {
        if (checked_ || problem_) return;
        checked_ = true;
        const bool whole = answer_.status != 206;
        const std::optional<std::uint64_t> size = whole ? answer_.length : answer_.object_size;
        const std::optional<std::uint64_t> first = whole ? std::uint64_t{0} : answer_.first;
        if (!size || !first) {
            problem_ = {source_failure::answered_error,
                        answer_.text() + " without the object's size: is this an S3 server?",
                        false};
            return;
        }
        if (!tag_.empty() && !answer_.entity_tag.empty() && answer_.entity_tag != tag_) {
            problem_ = problem_of_change(tag_, answer_.entity_tag);
            return;
        }
        if (begun_ && *size != object_size_) {
            problem_ = {source_failure::changed, "its size has changed", false};
            return;
        }
        if (!is_description()) {
            if (*first != read_.offset() + got_) {
                problem_ = {source_failure::wrong_length,
                            answer_.text() + " with the bytes from " + std::to_string(*first) +
                                " on, where those from " + std::to_string(read_.offset() + got_) +
                                " on were asked for",
                            false};
                return;
            }
            if (read_.offset() >= *size) {
                problem_ = {source_failure::past_the_end,
                            "the object ends at " + std::to_string(*size), false};
                return;
            }
            expected_ = std::min(read_.size(), *size - read_.offset());
        }
        if (begun_) return;
        begun_ = true;
        object_size_ = *size;
        tag_ = answer_.entity_tag;
        if (!read_.begin({*size, tag_}) && !is_description()) be_cancelled();
    }

    void judge(CURLcode outcome) {
        if (memory_failure_) std::rethrow_exception(std::exchange(memory_failure_, nullptr));
        if (problem_ || (begun_ && got_ == expected_)) return;
        if (outcome != CURLE_OK) {
            problem_ = problem_of_connection(outcome, message_.data(), service_.options);
        } else if (!answer_.is_success()) {
            problem_ = problem_of_refusal(answer_, service_, tag_);
        } else {
            check_answer();
            if (problem_ || got_ == expected_) return;
            problem_ = {
                source_failure::wrong_length,
                std::to_string(got_) + " bytes came instead of " + std::to_string(expected_), true};
        }
    }

    [[nodiscard]] source_error error() const {
        std::string text = read_name(read_) + " at " + service_.address + ": " + problem_->text;
        if (attempts_ > 1) text += " (after " + std::to_string(attempts_) + " attempts)";
        return {problem_->reason, text};
    }

    const s3_service& service_;
    line_read& read_;
    unsigned attempts_ = 0;
    bool begun_ = false;
    std::uint64_t object_size_ = 0;  // once begun
    std::uint64_t expected_ = 0;     // bytes in all, once begun
    std::uint64_t got_ = 0;
    std::string tag_;  // empty for any

    // Of the attempt that is under way.
    curl_list headers_;
    std::array<char, CURL_ERROR_SIZE> message_{};
    s3_answer answer_;
    bool checked_ = false;
    std::optional<s3_problem> problem_;
    std::exception_ptr memory_failure_;
    clock::time_point watched_since_;
    std::uint64_t watched_bytes_ = 0;
    curl_easy easy_;  // last, so that it goes first: it refers to the others
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
