// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/common/process_kind.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lab {

/// Makes this process what `kind` says for as long as it lives. libstdc++'s std::shared_ptr and
/// glibc's malloc leave out their locked instructions until a process starts its first second
/// thread, so that `threaded` starts one and keeps it waiting, and `single` makes sure that there
/// never was one.
class process_setting {
public:
    /// Throws std::runtime_error if the process cannot be what `kind` says.
    explicit process_setting(process_kind kind);
    ~process_setting();
    process_setting(const process_setting&) = delete;
    process_setting& operator=(const process_setting&) = delete;

    /// Throws std::runtime_error if the process is no longer what it was made.
    void check() const;

private:
    process_kind kind_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread second_;
};

}  // namespace lab
