// SPDX-License-Identifier: BSL-1.0
// The read requests that one thread drives through a libcurl multi handle. Connections stay open
// between requests. Not thread-safe, except wake().
//
// | list | contains | leaves it when |
// |---|---|---|
// | waiting_ | requests before an attempt | it is due, with a connection and credentials for it |
// | under_way_ | requests in the multi handle | it ends, stalls, or is not wanted |
#pragma once

#include <freehold/config.hpp>

#include "line/s3/back_off.hpp"
#include "line/s3/curl.hpp"
#include "line/s3/read_request.hpp"
#include "line/s3/service.hpp"

#include <chrono>
#include <list>
#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_transfers {
public:
    using clock = s3_read_request::clock;

    explicit s3_transfers(const s3_service& service);
    s3_transfers(const s3_transfers&) = delete;
    s3_transfers& operator=(const s3_transfers&) = delete;
    ~s3_transfers();

    void add(line_read& read) noexcept;

    [[nodiscard]] bool idle() const noexcept;

    // Does everything that can be done now.
    void step() noexcept;

    // Returns when there may be more to do, after wake(), or after a while.
    void wait() noexcept;

    void wake() noexcept;

    // Fails every read with source_failure::cancelled.
    void cancel() noexcept;

private:
    struct entry {
        s3_read_request request;
        clock::time_point due;
    };
    using entries = std::list<entry>;

    // How often requests are checked for being wanted.
    static constexpr std::chrono::milliseconds poll_interval{50};
    static constexpr std::chrono::milliseconds idle_interval{60000};

    void begin_due() noexcept;
    // Fails all that wait, because there are no credentials for them.
    void fail_waiting(const std::string& why) noexcept;

    void begin(entries::iterator one, const s3_keys& keys) noexcept;

    void conclude_finished() noexcept;

    void conclude(entries::iterator one, CURLcode outcome) noexcept;

    void drop_unwanted() noexcept;

    void end_stalled() noexcept;

    const s3_service& service_;
    s3_back_off back_off_;
    curl_multi multi_;
    entries under_way_;               // in the multi handle
    entries waiting_;                 // for a connection, for credentials, or for their time
    bool lacks_credentials_ = false;  // the end of a refresh wakes the multi handle
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
