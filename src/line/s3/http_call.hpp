// SPDX-License-Identifier: BSL-1.0
// One small request to an endpoint that gives out credentials, on the calling thread. No redirect
// is followed, because the request carries secrets.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

struct http_call {
    std::string method = "GET";
    std::string url;
    std::vector<std::string> headers = {};  // "name: value"
    std::string body = {};
    bool is_direct = false;  // no proxy is asked: the endpoint belongs to this machine
    std::string certificates = {};
    std::chrono::milliseconds connect_timeout{2000};
    std::chrono::milliseconds timeout{10000};
};

struct http_answer {
    int status = 0;           // 0: there was no answer
    std::string body;         // at most 64 KiB
    std::string failure;      // why there was no answer, or none that is complete
    bool is_reached = false;  // there was a connection
};

// Ends soon after `stop` is set. Throws std::bad_alloc.
http_answer answer_to(const http_call& call, const std::atomic<bool>& stop);

// As answer_to; but asks up to three times if there is no answer, or 429, 408 or a status above
// 499.
http_answer answer_after_retries(const http_call& call, const std::atomic<bool>& stop);

}  // namespace freehold::inline FREEHOLD_ABI::detail
