// SPDX-License-Identifier: BSL-1.0
#include "line/s3/credentials.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

constexpr std::chrono::minutes before_the_end{5};
constexpr std::chrono::minutes grace{5};
constexpr std::chrono::seconds shortest_use{10};
constexpr std::chrono::milliseconds longest_pause{60000};

bool same(const s3_credentials& one, const s3_credentials& other) {
    return one.access_key == other.access_key && one.secret_key == other.secret_key &&
           one.session_token == other.session_token;
}

}  // namespace

s3_credentials_in_use::s3_credentials_in_use(settings chosen) : chosen_(std::move(chosen)) {
    if (chosen_.first) take(*chosen_.first);
}

s3_credentials_in_use::~s3_credentials_in_use() {
    // relaxed: the flag guards no data.
    stop_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
}

s3_credentials_in_use::answer s3_credentials_in_use::ask() {
    const std::lock_guard lock(mutex_);
    if (!chosen_.ask_provider) return {current_, {}};
    const system_time now = chosen_.now();
    if (current_ != nullptr && now >= end_) current_.reset();
    const bool is_paused = steady::now() < pause_end_;
    if ((current_ == nullptr || now >= due_) && !is_refreshing_ && !is_paused) start_refresh();
    if (current_ != nullptr) return {current_, {}};
    return {nullptr, is_refreshing_ ? std::string() : failure_};
}

bool s3_credentials_in_use::reject(const s3_keys& keys) {
    const std::lock_guard lock(mutex_);
    if (!chosen_.ask_provider) return false;
    if (current_ != keys) return true;  // others are there, or under way
    rejected_ = std::move(current_);
    current_.reset();
    // A server that calls all credentials expired shall not have the provider asked without end.
    const steady::time_point now = steady::now();
    const bool was_new = now - received_ < shortest_use;
    if (was_new && rejected_at_ && now - *rejected_at_ < before_the_end) {
        pause_end_ = received_ + shortest_use;
        failure_ = "the server calls new credentials expired: is this machine's clock right?";
    } else {
        pause_end_ = steady::time_point::min();
    }
    rejected_at_ = now;
    return true;
}

void s3_credentials_in_use::watch(CURLM* waiter) {
    const std::lock_guard lock(mutex_);
    waiters_.push_back(waiter);
}

void s3_credentials_in_use::unwatch(CURLM* waiter) noexcept {
    const std::lock_guard lock(mutex_);
    waiters_.erase(std::remove(waiters_.begin(), waiters_.end(), waiter), waiters_.end());
}

void s3_credentials_in_use::start_refresh() {
    // The last one has nothing more to do than to end.
    if (thread_.joinable()) thread_.join();
    try {
        thread_ = std::thread([this] { refresh(); });
        is_refreshing_ = true;
    } catch (const std::system_error& error) {
        take_failure(std::string("no thread to refresh credentials: ") + error.what());
    }
}

void s3_credentials_in_use::refresh() noexcept {
    s3_credentials got;
    std::string failure;
    try {
        try {
            got = chosen_.ask_provider(stop_);
        } catch (const std::exception& error) {
            failure = error.what();
            if (failure.empty()) failure = "no credentials";
        } catch (...) {
            failure = "no credentials: the provider threw what is no std::exception";
        }
    } catch (...) {
        failure = "no memory";  // it needs none
    }
    const std::lock_guard lock(mutex_);
    try {
        if (failure.empty()) {
            take(std::move(got));
        } else {
            take_failure(std::move(failure));
        }
    } catch (...) {
        failure_ = "no memory";
        pause_end_ = steady::now() + chosen_.first_pause;
    }
    is_refreshing_ = false;
    // With the mutex, so that no waiter is destroyed meanwhile.
    for (CURLM* const waiter : waiters_) curl_multi_wakeup(waiter);
}

void s3_credentials_in_use::take(s3_credentials got) {
    if (rejected_ != nullptr && same(*rejected_, got)) {
        take_failure("the server calls the credentials expired, and there are no others yet");
        return;
    }
    const system_time now = chosen_.now();
    received_ = steady::now();
    due_ = end_ = system_time::max();
    if (got.expires) {
        // What has just been given out is used even if it looks expired: the provider may be late,
        // or a clock wrong, and the server decides.
        end_ = std::max(*got.expires, now + grace);
        const auto left = end_ - now;
        due_ = now + std::max(left - before_the_end, left / 2);
    }
    current_ = std::make_shared<const s3_credentials>(std::move(got));
    failure_.clear();
    failures_ = 0;
    pause_end_ = steady::time_point::min();
}

void s3_credentials_in_use::take_failure(std::string text) {
    failure_ = std::move(text);
    const auto pause = chosen_.first_pause * (1 << std::min(failures_, 6u));
    ++failures_;
    pause_end_ = steady::now() + std::min<std::chrono::milliseconds>(pause, longest_pause);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
