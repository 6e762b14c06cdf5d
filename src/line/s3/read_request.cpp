// SPDX-License-Identifier: BSL-1.0
#include "line/s3/read_request.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

// A server that ignores ranges sends the object from its start. So many bytes are received for
// nothing rather than that the read fails.
constexpr std::uint64_t most_unwanted = std::uint64_t{64} << 20;

}  // namespace

s3_read_request::s3_read_request(const s3_service& service, line_read& read)
    : service_(service),
      read_(read),
      asks_(is_description() ? asks::description : asks::range),
      tag_(read.entity_tag()) {}

CURL* s3_read_request::prepare(s3_keys keys) {
    keys_ = std::move(keys);
    address_ = service_.address();
    easy_.reset(curl_easy_init());
    if (easy_ == nullptr) throw std::bad_alloc();
    response_ = s3_response();
    failure_.reset();
    checked_ = false;
    unwanted_ = 0;
    has_enough_ = false;
    leads_on_ = false;
    message_.front() = '\0';
    configure();
    service_.requests.add(1);
    if (!std::exchange(is_led_on_, false) && ++attempts_ > 1) service_.retries.add(1);
    watched_since_ = clock::now();
    watched_bytes_ = 0;
    return easy_.get();
}

CURL* s3_read_request::handle() const noexcept {
    return easy_.get();
}

unsigned s3_read_request::attempts() const noexcept {
    return attempts_;
}

bool s3_read_request::wanted() const noexcept {
    return read_.wanted();
}

bool s3_read_request::is_stalled(clock::time_point now) noexcept {
    if (now - watched_since_ < service_.options.patience) return false;
    const bool stuck = watched_bytes_ < service_.options.least_bytes;
    watched_since_ = now;
    watched_bytes_ = 0;
    return stuck;
}

s3_next s3_read_request::conclude(CURLcode outcome) noexcept {
    constexpr unsigned most_led_on = 4;
    try {
        evaluate(outcome);
        easy_.reset();
        if (!failure_) {
            service_.retry_budget.succeeded(attempts_);
            read_.finish();
            return s3_next::ended;
        }
        if (leads_on_ && may_resume() && times_led_on_ < most_led_on) {
            ++times_led_on_;
            is_led_on_ = true;
            return s3_next::at_once;
        }
        const bool may_try = attempts_ < service_.options.attempts;
        if (failure_->is_transient && may_resume() && may_try) {
            if (service_.retry_budget.take()) return s3_next::after_a_pause;
            service_.retries_refused.add(1);
            failure_->text += " (no retry: the retry budget is used up)";
        }
        read_.fail(std::make_exception_ptr(error()));
    } catch (...) {
        read_.fail(std::current_exception());
    }
    return s3_next::ended;
}

void s3_read_request::fail(std::exception_ptr why) noexcept {
    read_.fail(std::move(why));
}

void s3_read_request::fail_without_credentials(const std::string& why) noexcept {
    try {
        address_ = service_.address();
        failure_ = {source_failure::refused, why, false};
        fail(std::make_exception_ptr(error()));
    } catch (...) {
        fail(std::current_exception());
    }
}

void s3_read_request::cancel() noexcept {
    try {
        if (address_ == nullptr) address_ = service_.address();
        failure_ = {source_failure::cancelled, "cancelled", false};
        fail(std::make_exception_ptr(error()));
    } catch (...) {
        fail(std::current_exception());
    }
}

bool s3_read_request::is_description() const noexcept {
    return read_.size() == 0;
}

bool s3_read_request::may_resume() const noexcept {
    return received_ == 0 || !tag_.empty();
}

void s3_read_request::configure() {
    CURL* const easy = easy_.get();
    const s3_options& options = service_.options;
    path_ = percent_encoded(read_.object());
    s3_signable request{asks_ == asks::description ? "HEAD" : "GET",
                        address_->path + path_,
                        {},
                        "UNSIGNED-PAYLOAD"};
    const s3_scope scope{s3_time(std::chrono::system_clock::now()), address_->region};
    auto& headers = request.headers;
    headers["host"] = address_->host;
    headers["x-amz-content-sha256"] = request.payload;
    headers["x-amz-date"] = scope.time;
    if (!keys_->session_token.empty()) headers["x-amz-security-token"] = keys_->session_token;
    if (!tag_.empty()) headers["if-match"] = tag_;
    if (asks_ == asks::description) {
        set_option(easy, CURLOPT_NOBODY, 1L);
    } else if (asks_ == asks::first_byte) {
        headers["range"] = "bytes=0-0";
    } else {
        const std::uint64_t first = read_.offset() + received_;
        const std::uint64_t last = read_.offset() + read_.size() - 1;
        headers["range"] = "bytes=" + std::to_string(first) + "-" + std::to_string(last);
    }
    headers["authorization"] = s3_authorization(request, scope, *keys_);
    headers_.reset();
    for (const auto& [name, value] : headers) append(headers_, name + ": " + value);
    set_option(easy, CURLOPT_HTTPHEADER, headers_.get());

    set_option(easy, CURLOPT_URL, (address_->server + request.path).c_str());
    set_option(easy, CURLOPT_PATH_AS_IS, 1L);  // ".." is a valid part of a name
    set_option(easy, CURLOPT_USERAGENT, "freehold");
    // One request per connection at a time: parallel requests use parallel connections.
    set_option(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
    set_option(easy, CURLOPT_BUFFERSIZE,
               static_cast<long>(
                   std::min<std::size_t>(options.receive_buffer, std::size_t{CURL_MAX_READ_SIZE})));
    set_option(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
    set_option(easy, CURLOPT_NOSIGNAL, 1L);
    set_option(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    if (address_->is_local) set_option(easy, CURLOPT_PROXY, "");
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

std::size_t s3_read_request::on_header(const char* text, std::size_t, std::size_t size,
                                       void* self) {
    return static_cast<s3_read_request*>(self)->guarded(size, [&](s3_read_request& request) {
        request.response_.take_header({text, size});
    });
}

std::size_t s3_read_request::on_body(const char* text, std::size_t, std::size_t size, void* self) {
    return static_cast<s3_read_request*>(self)->guarded(size, [&](s3_read_request& request) {
        if (request.response_.is_success()) {
            request.take(std::as_bytes(std::span(text, size)));
        } else {
            request.response_.take_error({text, size});
        }
    });
}

void s3_read_request::take(std::span<const std::byte> bytes) {
    check_response();
    service_.bytes.add(bytes.size());
    if (asks_ != asks::range) return;
    const auto dropped = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), unwanted_));
    unwanted_ -= dropped;
    bytes = bytes.subspan(dropped);
    while (!bytes.empty() && !failure_ && !has_enough_) {
        if (received_ == expected_) {
            failure_ = {source_failure::wrong_length, "the server sent more bytes than requested",
                        false};
            return;
        }
        const std::span<std::byte> room = read_.room();
        const auto most = static_cast<std::size_t>(
            std::min<std::uint64_t>({bytes.size(), room.size(), expected_ - received_}));
        copy(room.data(), bytes.data(), most);
        received_ += most;
        bytes = bytes.subspan(most);
        if (!read_.arrived(most) && received_ != expected_) mark_cancelled();
        // The whole object came instead of a part of it.
        has_enough_ = received_ == expected_ && response_.status != 206 &&
                      read_.offset() + expected_ < object_size_;
    }
}

void s3_read_request::copy(std::byte* to, const std::byte* from, std::size_t size) const noexcept {
    if (expected_ > cache_of_a_core && read_.room_is_recycled()) {
        streaming_copy(to, from, size);
    } else {
        std::memcpy(to, from, size);
    }
}

void s3_read_request::mark_cancelled() {
    failure_ = {source_failure::cancelled, "cancelled", false};
}

void s3_read_request::check_response() {
    if (checked_ || failure_) return;
    checked_ = true;
    const bool whole = response_.status != 206;
    const std::optional<std::uint64_t> size = whole ? response_.length : response_.object_size;
    const std::optional<std::uint64_t> first = whole ? std::uint64_t{0} : response_.first;
    if (!size || !first) {
        failure_ = {source_failure::answered_error,
                    response_.text() + " without the object's size: is this an S3 server?", false};
        return;
    }
    if (!tag_.empty() && !response_.entity_tag.empty() && response_.entity_tag != tag_) {
        failure_ = failure_of_change(tag_, response_.entity_tag);
        return;
    }
    if (begun_ && *size != object_size_) {
        failure_ = failure_of_another_size();
        return;
    }
    if (asks_ != asks::range && !is_description() && *size != 0) {
        // It was empty when its bytes were asked for.
        failure_ = failure_of_another_size();
        asks_ = asks::range;
        leads_on_ = true;
        return;
    }
    if (asks_ == asks::range) {
        const std::uint64_t wanted = read_.offset() + received_;
        if (whole && wanted <= most_unwanted) {
            unwanted_ = wanted;
        } else if (*first != wanted) {
            failure_ = {source_failure::wrong_length,
                        response_.text() + " with the bytes from " + std::to_string(*first) +
                            " on instead of those from " + std::to_string(wanted) + " on",
                        false};
            return;
        }
        if (read_.offset() >= *size && read_.offset() != 0) {
            failure_ = {source_failure::past_the_end, "the object ends at " + std::to_string(*size),
                        false};
            return;
        }
        expected_ = std::min(read_.size(), *size - read_.offset());
    }
    if (begun_) return;
    begun_ = true;
    object_size_ = *size;
    tag_ = response_.entity_tag;
    if (!read_.begin({*size, tag_}) && !is_description()) mark_cancelled();
}

bool s3_read_request::leads_on() {
    const bool is_refused = response_.status == 400 || response_.status == 403;
    // There is no first byte: the object may be empty, which a HEAD says with its tag.
    const bool asks_for_first_byte =
        asks_ == asks::range ? read_.offset() == 0 && !begun_ : asks_ == asks::first_byte;
    if (response_.status == 416 && asks_for_first_byte) {
        asks_ = asks::description;
        return true;
    }
    if (auto to = redirected(*address_, service_.options, response_, path_)) {
        service_.move_to(std::move(*to));
        return true;
    }
    if (calls_credentials_expired(response_)) return service_.credentials.reject(keys_);
    if (asks_ == asks::description && is_refused && service_.credentials.may_change()) {
        asks_ = asks::first_byte;
        return true;
    }
    return false;
}

void s3_read_request::evaluate(CURLcode outcome) {
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
    if (failure_ || (begun_ && received_ == expected_)) return;
    if (outcome != CURLE_OK) {
        failure_ = failure_of_connection(outcome, message_.data(), service_.options);
    } else if (!response_.is_success()) {
        failure_ = failure_of_response(response_, *address_, *keys_, tag_);
        // The byte was there when the read began.
        if (begun_ && response_.status == 416) failure_ = failure_of_another_size();
        leads_on_ = leads_on();
    } else {
        check_response();
        if (failure_ || received_ == expected_) return;
        failure_ = {source_failure::wrong_length,
                    "received " + std::to_string(received_) + " bytes instead of " +
                        std::to_string(expected_),
                    true};
    }
}

source_error s3_read_request::error() const {
    std::string text =
        read_name(read_) + " at " + address_->server + address_->path + ": " + failure_->text;
    if (attempts_ > 1) text += " (after " + std::to_string(attempts_) + " attempts)";
    return {failure_->reason, text};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
