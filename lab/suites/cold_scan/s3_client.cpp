// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/s3_client.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include <curl/curl.h>

namespace lab::cold_scan {
namespace {

/// The same as in freehold's s3_source, so that only the memory differs.
constexpr long receive_buffer = 512L << 10;
constexpr long connect_seconds = 10;
constexpr long stalled_seconds = 30;

struct incoming {
    std::span<std::byte> to;
    std::size_t arrived = 0;
    bool too_many = false;
    std::string answer;  // the server's answer, if it does not send the object
    CURL* easy = nullptr;

    bool is_object() const {
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        return status == 200 || status == 206;
    }
};

std::size_t receive(char* from, std::size_t, std::size_t size, void* context) {
    constexpr std::size_t enough = 1024;
    auto& into = *static_cast<incoming*>(context);
    if (!into.is_object()) {
        into.answer.append(from, std::min(size, enough - std::min(enough, into.answer.size())));
        return size;
    }
    if (size > into.to.size() - into.arrived) {
        into.too_many = true;
        return 0;
    }
    std::memcpy(into.to.data() + into.arrived, from, size);
    into.arrived += size;
    return size;
}

struct outgoing {
    const std::function<void(std::span<std::byte>)>& fill;
    std::uint64_t left;
    std::vector<std::byte> piece;
    std::size_t sent;
};

std::size_t send(char* to, std::size_t, std::size_t size, void* context) {
    auto& from = *static_cast<outgoing*>(context);
    if (from.sent == from.piece.size()) {
        if (from.left == 0) return 0;
        from.piece.resize(std::min<std::uint64_t>(from.piece.size(), from.left));
        from.fill(from.piece);
        from.left -= from.piece.size();
        from.sent = 0;
    }
    const std::size_t some = std::min(size, from.piece.size() - from.sent);
    std::memcpy(to, from.piece.data() + from.sent, some);
    from.sent += some;
    return some;
}

}  // namespace

class s3_client::handle {
public:
    explicit handle(s3_access access) : access_(std::move(access)) {
        static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
        easy_ = initialised == CURLE_OK ? curl_easy_init() : nullptr;
        if (easy_ == nullptr) throw std::runtime_error("libcurl cannot be initialised");
        for (const char* header : {"x-amz-content-sha256: UNSIGNED-PAYLOAD", "Expect:"}) {
            curl_slist* const longer = curl_slist_append(headers_, header);
            if (longer == nullptr) throw std::bad_alloc();
            headers_ = longer;
        }
    }
    ~handle() {
        curl_easy_cleanup(easy_);
        curl_slist_free_all(headers_);
    }
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;

    /// Resets the request; the connection stays open.
    void begin(const std::string& object) {
        object_ = object;
        curl_easy_reset(easy_);
        set(CURLOPT_URL, (access_.endpoint + "/" + access_.bucket + object).c_str());
        set(CURLOPT_AWS_SIGV4, ("aws:amz:" + access_.region + ":s3").c_str());
        set(CURLOPT_USERPWD, (access_.access_key + ":" + access_.secret_key).c_str());
        set(CURLOPT_HTTPHEADER, headers_);
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_BUFFERSIZE, receive_buffer);
        set(CURLOPT_CONNECTTIMEOUT, connect_seconds);
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, stalled_seconds);
        if (access_.endpoint.starts_with("http://localhost:")) set(CURLOPT_PROXY, "");
    }

    template <class Value>
    void set(CURLoption option, Value value) {
        const CURLcode outcome = curl_easy_setopt(easy_, option, value);
        if (outcome != CURLE_OK) fail(curl_easy_strerror(outcome));
    }

    /// Sends the request, and receives the answer into `to`. `also` is a status that is not a
    /// failure.
    void perform(std::span<std::byte> to, long also = 0) {
        incoming into{to, 0, false, {}, easy_};
        set(CURLOPT_WRITEFUNCTION, receive);
        set(CURLOPT_WRITEDATA, &into);
        const CURLcode outcome = curl_easy_perform(easy_);
        if (into.too_many) fail("sends more than was requested");
        if (outcome != CURLE_OK) fail(curl_easy_strerror(outcome));
        long status = 0;
        curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
        if (status / 100 != 2 && status != also) {
            fail("answers " + std::to_string(status) + ": " + into.answer);
        }
        if (into.arrived != to.size()) fail("sends less than was requested");
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(access_.endpoint + "/" + access_.bucket + object_ + ": " + why);
    }

    s3_access access_;
    std::string object_;
    CURL* easy_ = nullptr;
    curl_slist* headers_ = nullptr;
};

s3_client::s3_client(s3_access access) : handle_(std::make_unique<handle>(std::move(access))) {}

s3_client::~s3_client() = default;

void s3_client::make_bucket() {
    constexpr long already_there = 409;
    handle_->begin("");
    handle_->set(CURLOPT_UPLOAD, 1L);
    handle_->set(CURLOPT_INFILESIZE_LARGE, curl_off_t{0});
    handle_->set(
        CURLOPT_READFUNCTION,
        +[](char*, std::size_t, std::size_t, void*) { return std::size_t{0}; });
    handle_->perform({}, already_there);
}

void s3_client::put(const std::string& object, std::uint64_t size, std::size_t piece,
                    const std::function<void(std::span<std::byte>)>& fill) {
    outgoing from{fill, size, std::vector<std::byte>(piece), piece};
    handle_->begin("/" + object);
    handle_->set(CURLOPT_UPLOAD, 1L);
    handle_->set(CURLOPT_UPLOAD_BUFFERSIZE, receive_buffer);
    handle_->set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size));
    handle_->set(CURLOPT_READFUNCTION, send);
    handle_->set(CURLOPT_READDATA, &from);
    handle_->perform({});
}

void s3_client::get(const std::string& object, std::uint64_t offset, std::span<std::byte> to) {
    handle_->begin("/" + object);
    handle_->set(CURLOPT_RANGE,
                 (std::to_string(offset) + "-" + std::to_string(offset + to.size() - 1)).c_str());
    handle_->perform(to);
}

void s3_client::remove(const std::string& object) {
    handle_->begin("/" + object);
    handle_->set(CURLOPT_CUSTOMREQUEST, "DELETE");
    handle_->perform({});
}

}  // namespace lab::cold_scan
