// SPDX-License-Identifier: BSL-1.0
#include "line/s3/transfers.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

s3_transfers::s3_transfers(const s3_service& service)
    : service_(service), back_off_(service.options) {
    initialise_curl();
    multi_.reset(curl_multi_init());
    if (multi_ == nullptr) throw std::bad_alloc();
    service_.credentials.watch(multi_.get());
}

s3_transfers::~s3_transfers() {
    service_.credentials.unwatch(multi_.get());
    cancel();
}

void s3_transfers::add(line_read& read) noexcept {
    try {
        waiting_.push_back({s3_read_request(service_, read), clock::time_point::min()});
    } catch (...) {
        read.fail(std::current_exception());
    }
}

bool s3_transfers::idle() const noexcept {
    return waiting_.empty() && under_way_.empty();
}

void s3_transfers::step() noexcept {
    drop_unwanted();
    begin_due();
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    conclude_finished();
    end_stalled();
}

void s3_transfers::wait() noexcept {
    auto longest = idle() ? idle_interval : poll_interval;
    const clock::time_point now = clock::now();
    for (const entry& one : waiting_) {
        if (lacks_credentials_ || under_way_.size() >= service_.options.connections) break;
        const auto ahead =
            std::chrono::ceil<std::chrono::milliseconds>(std::max(one.due, now) - now);
        longest = std::min(longest, ahead);
    }
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(longest.count()), nullptr);
}

void s3_transfers::wake() noexcept {
    curl_multi_wakeup(multi_.get());
}

void s3_transfers::cancel() noexcept {
    for (entry& one : under_way_) {
        curl_multi_remove_handle(multi_.get(), one.request.handle());
        one.request.cancel();
    }
    for (entry& one : waiting_) one.request.cancel();
    under_way_.clear();
    waiting_.clear();
}

void s3_transfers::begin_due() noexcept {
    lacks_credentials_ = false;
    if (waiting_.empty()) return;
    s3_credentials_in_use::answer credentials;
    try {
        credentials = service_.credentials.ask();
    } catch (...) {
        for (entry& one : waiting_) one.request.fail(std::current_exception());
        waiting_.clear();
        return;
    }
    if (credentials.keys == nullptr) {
        lacks_credentials_ = credentials.failure.empty();
        if (!lacks_credentials_) fail_waiting(credentials.failure);
        return;
    }
    const clock::time_point now = clock::now();
    for (auto one = waiting_.begin(); one != waiting_.end();) {
        if (under_way_.size() >= service_.options.connections) return;
        const auto next = std::next(one);
        if (one->due <= now) {
            under_way_.splice(under_way_.end(), waiting_, one);
            begin(one, credentials.keys);
        }
        one = next;
    }
}

void s3_transfers::fail_waiting(const std::string& why) noexcept {
    for (entry& one : waiting_) one.request.fail_without_credentials(why);
    waiting_.clear();
}

void s3_transfers::begin(entries::iterator one, const s3_keys& keys) noexcept {
    try {
        CURL* const easy = one->request.prepare(keys);
        if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) throw std::bad_alloc();
    } catch (...) {
        one->request.fail(std::current_exception());
        under_way_.erase(one);
    }
}

void s3_transfers::conclude_finished() noexcept {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL* const easy = message->easy_handle;
        const CURLcode outcome = message->data.result;
        const auto one =
            std::find_if(under_way_.begin(), under_way_.end(),
                         [easy](const entry& other) { return other.request.handle() == easy; });
        conclude(one, outcome);
    }
}

void s3_transfers::conclude(entries::iterator one, CURLcode outcome) noexcept {
    curl_multi_remove_handle(multi_.get(), one->request.handle());
    switch (one->request.conclude(outcome)) {
        case s3_next::ended:
            under_way_.erase(one);
            return;
        case s3_next::at_once:
            one->due = clock::time_point::min();
            break;
        case s3_next::after_a_pause:
            one->due = clock::now() + back_off_.next(one->request.attempts());
            break;
    }
    waiting_.splice(waiting_.end(), under_way_, one);
}

void s3_transfers::drop_unwanted() noexcept {
    for (auto one = under_way_.begin(); one != under_way_.end();) {
        const auto next = std::next(one);
        if (!one->request.wanted()) {
            curl_multi_remove_handle(multi_.get(), one->request.handle());
            one->request.cancel();
            under_way_.erase(one);
        }
        one = next;
    }
    for (auto one = waiting_.begin(); one != waiting_.end();) {
        const auto next = std::next(one);
        if (!one->request.wanted()) {
            one->request.cancel();
            waiting_.erase(one);
        }
        one = next;
    }
}

void s3_transfers::end_stalled() noexcept {
    const clock::time_point now = clock::now();
    for (auto one = under_way_.begin(); one != under_way_.end();) {
        const auto next = std::next(one);
        if (one->request.is_stalled(now)) conclude(one, CURLE_OPERATION_TIMEDOUT);
        one = next;
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
