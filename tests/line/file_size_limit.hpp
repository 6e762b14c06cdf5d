// SPDX-License-Identifier: BSL-1.0
// Files cannot grow beyond this size while it lives.
#pragma once

#include <csignal>
#include <cstdint>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace freehold::tests {

class file_size_limit {
public:
    explicit file_size_limit(std::uint64_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    file_size_limit(const file_size_limit&) = delete;
    file_size_limit& operator=(const file_size_limit&) = delete;
    ~file_size_limit() {
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before_), 0);
        std::signal(SIGXFSZ, signal_);
    }

private:
    void (*signal_)(int);
    rlimit before_{};
};

}  // namespace freehold::tests
