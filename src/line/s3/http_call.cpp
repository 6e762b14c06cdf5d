// SPDX-License-Identifier: BSL-1.0
#include "line/s3/http_call.hpp"

#include "line/s3/curl.hpp"

#include <array>
#include <cstddef>
#include <new>
#include <thread>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 10;
constexpr int poll_interval = 50;  // milliseconds between two looks at `stop`

std::size_t on_body(const char* text, std::size_t, std::size_t size, void* to) noexcept {
    auto& body = *static_cast<std::string*>(to);
    if (body.size() + size > most_bytes) return size + 1;
    try {
        body.append(text, size);
    } catch (...) {
        return size + 1;
    }
    return size;
}

}  // namespace

http_answer answer_to(const http_call& call, const std::atomic<bool>& stop) {
    initialise_curl();
    http_answer answer;
    std::array<char, CURL_ERROR_SIZE> message{};
    curl_list headers;
    for (const std::string& header : call.headers) append(headers, header);
    const curl_multi multi(curl_multi_init());
    const curl_easy owner(curl_easy_init());
    CURL* const easy = owner.get();
    if (multi == nullptr || easy == nullptr) throw std::bad_alloc();

    set_option(easy, CURLOPT_URL, call.url.c_str());
    set_option(easy, CURLOPT_HTTPHEADER, headers.get());
    if (call.method == "POST") {
        set_option(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(call.body.size()));
        set_option(easy, CURLOPT_POSTFIELDS, call.body.c_str());
    } else {
        set_option(easy, CURLOPT_CUSTOMREQUEST, call.method.c_str());
    }
    set_option(easy, CURLOPT_USERAGENT, "freehold");
    set_option(easy, CURLOPT_NOSIGNAL, 1L);
    set_option(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(call.connect_timeout.count()));
    set_option(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(call.timeout.count()));
    if (call.is_direct) set_option(easy, CURLOPT_PROXY, "");
    if (!call.certificates.empty()) set_option(easy, CURLOPT_CAINFO, call.certificates.c_str());
    set_option(easy, CURLOPT_ERRORBUFFER, message.data());
    set_option(easy, CURLOPT_WRITEDATA, static_cast<void*>(&answer.body));
    set_option(easy, CURLOPT_WRITEFUNCTION, &on_body);

    if (curl_multi_add_handle(multi.get(), easy) != CURLM_OK) throw std::bad_alloc();
    CURLcode outcome = CURLE_ABORTED_BY_CALLBACK;
    // relaxed: the flag guards no data.
    while (!stop.load(std::memory_order_relaxed)) {
        int running = 0;
        curl_multi_perform(multi.get(), &running);
        if (running == 0) {
            int left = 0;
            const CURLMsg* const end = curl_multi_info_read(multi.get(), &left);
            if (end != nullptr) outcome = end->data.result;
            break;
        }
        curl_multi_poll(multi.get(), nullptr, 0, poll_interval, nullptr);
    }
    long status = 0;
    double connected = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME, &connected);
    curl_multi_remove_handle(multi.get(), easy);
    if (outcome == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    answer.is_reached = connected > 0;
    if (outcome == CURLE_OK) {
        answer.status = static_cast<int>(status);
    } else {
        answer.failure = message.front() == '\0' ? curl_easy_strerror(outcome) : message.data();
        answer.body.clear();
    }
    return answer;
}

http_answer answer_after_retries(const http_call& call, const std::atomic<bool>& stop) {
    constexpr int attempts = 3;
    constexpr std::chrono::milliseconds step{25};
    for (int attempt = 1;; ++attempt) {
        http_answer answer = answer_to(call, stop);
        const bool is_transient = answer.status == 0 || answer.status == 408 ||
                                  answer.status == 429 || answer.status >= 500;
        if (!is_transient || attempt == attempts) return answer;
        for (auto waited = step; waited <= step * (4 << attempt); waited += step) {
            // relaxed: as above.
            if (stop.load(std::memory_order_relaxed)) return answer;
            std::this_thread::sleep_for(step);
        }
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
