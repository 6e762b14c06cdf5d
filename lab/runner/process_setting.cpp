// SPDX-License-Identifier: BSL-1.0
#include "runner/process_setting.hpp"

#include <stdexcept>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define FREEHOLD_LAB_KNOWS_THREADS 1
#endif

namespace lab {

process_setting::process_setting(process_kind kind) : kind_(kind) {
    if (kind_ == process_kind::threaded) {
        second_ = std::thread([this] {
            std::unique_lock lock(mutex_);
            ended_.wait(lock, [this] { return end_; });
        });
    }
    check();
}

process_setting::~process_setting() {
    if (!second_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    second_.join();
}

void process_setting::check() const {
#ifdef FREEHOLD_LAB_KNOWS_THREADS
    const bool single = __libc_single_threaded != 0;
    if (kind_ == process_kind::single && !single) {
        throw std::runtime_error(
            "process `single` has started a second thread: its figures would be those of "
            "`threaded`; "
            "run without preloaded libraries (LD_PRELOAD) that start threads");
    }
    if (kind_ == process_kind::threaded && single) {
        throw std::runtime_error("process `threaded` is single-threaded to its C library");
    }
#endif
}

}  // namespace lab
