// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/common/process_kind.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lab {

/// Keeps this process in the state of `kind` during the object's life. libstdc++'s std::shared_ptr
/// and glibc's malloc use no locked instructions until a process starts its second thread. So
/// `threaded` starts a thread and keeps it waiting, and `single` checks that the process never had
/// one.
class process_setting {
public:
    /// Throws std::runtime_error if the process cannot have the state of `kind`.
    explicit process_setting(process_kind kind);
    ~process_setting();
    process_setting(const process_setting&) = delete;
    process_setting& operator=(const process_setting&) = delete;

    /// Throws std::runtime_error if the process no longer has that state.
    void check() const;

private:
    process_kind kind_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread second_;
};

}  // namespace lab
