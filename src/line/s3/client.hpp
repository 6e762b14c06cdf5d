// SPDX-License-Identifier: BSL-1.0
// What is behind an s3_source: one s3_transfers for each fetch at once, kept with its connections
// for the next fetch, and one for all started reads, with its thread. Several threads may use it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/service.hpp"
#include "line/s3/transfers.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_client {
public:
    explicit s3_client(s3_options options);
    s3_client(const s3_client&) = delete;
    s3_client& operator=(const s3_client&) = delete;
    ~s3_client();

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;
    [[nodiscard]] object_info describe(std::string_view object);
    s3_statistics statistics() const noexcept { return service_.statistics(); }

private:
    std::unique_ptr<s3_transfers> borrow();
    void give_back(std::unique_ptr<s3_transfers> transfers) noexcept;
    void make_thread();
    void serve() noexcept;

    const s3_service service_;

    std::mutex mutex_;  // guards all down to made_
    bool ending_ = false;
    std::vector<line_read*> new_;  // not yet taken by the thread
    std::vector<std::unique_ptr<s3_transfers>> idle_;
    std::size_t made_ = 0;

    s3_transfers started_;  // only the thread uses it, except for wake()
    std::thread thread_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
