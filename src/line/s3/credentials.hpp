// SPDX-License-Identifier: BSL-1.0
// The credentials of an s3_source: the ones in use, and their refresh on a thread of its own.
//
// | state | ask() says | leaves it when |
// |---|---|---|
// | valid | the keys | they expire, or a server calls them expired |
// | valid, and due | the keys, and starts a refresh | as above, or the refresh gives others |
// | none, a refresh is under way | wait | it ends |
// | none, it failed | why | the pause after the failure ends; then ask() starts another |
//
// Keys are due 5 minutes before they expire, or after half of the time for which they are valid,
// whichever is later.
//
// Invariant: at most one refresh is under way, whoever asks. Nobody waits for the mutex longer than
// for a copy of a pointer: a provider is called without it. Times of expiry are compared with the
// system's clock, because servers name them; pauses with the steady clock, which does not jump.
// Thread-safe.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/curl.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

using s3_keys = std::shared_ptr<const s3_credentials>;

class s3_credentials_in_use {
public:
    // `stop` asks the provider to give up soon.
    using provider = std::function<s3_credentials(const std::atomic<bool>& stop)>;
    using system_time = std::chrono::system_clock::time_point;
    using steady = std::chrono::steady_clock;

    struct settings {
        provider ask_provider;  // none: the first credentials are the only ones
        std::optional<s3_credentials> first = {};
        std::function<system_time()> now = std::chrono::system_clock::now;
        std::chrono::milliseconds first_pause{1000};  // after a failure; it doubles up to a minute
    };

    explicit s3_credentials_in_use(settings chosen);
    s3_credentials_in_use(const s3_credentials_in_use&) = delete;
    s3_credentials_in_use& operator=(const s3_credentials_in_use&) = delete;
    // Waits for a provider that is under way.
    ~s3_credentials_in_use();

    struct answer {
        s3_keys keys;         // if there are any
        std::string failure;  // else why not; or empty: wait for wake-up
    };
    answer ask();

    // A server calls these keys expired. Returns whether others may come: the caller asks again.
    bool reject(const s3_keys& keys);

    // Whether others may come at all.
    [[nodiscard]] bool may_change() const noexcept { return chosen_.ask_provider != nullptr; }

    // Wakes this handle when a refresh has ended, until it is unwatched.
    void watch(CURLM* waiter);
    void unwatch(CURLM* waiter) noexcept;

private:
    void start_refresh();  // with the mutex
    void refresh() noexcept;
    void take(s3_credentials got);        // with the mutex
    void take_failure(std::string text);  // with the mutex

    const settings chosen_;
    std::atomic<bool> stop_{false};

    std::mutex mutex_;  // guards all below
    s3_keys current_;
    s3_keys rejected_;  // the last that a server called expired
    std::optional<steady::time_point> rejected_at_;
    system_time due_;  // of the next refresh; max(): never
    system_time end_;  // of the current keys; max(): never
    steady::time_point received_;
    bool is_refreshing_ = false;
    std::string failure_;    // of the last refresh, or empty
    unsigned failures_ = 0;  // in succession
    steady::time_point pause_end_;
    std::vector<CURLM*> waiters_;
    std::thread thread_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
