// SPDX-License-Identifier: BSL-1.0
// Puts errno back, which an allocation that succeeds has no business to change.
#pragma once

#include <cerrno>

namespace freehold::detail {

class errno_kept {
public:
    errno_kept() noexcept = default;
    errno_kept(const errno_kept&) = delete;
    errno_kept& operator=(const errno_kept&) = delete;
    ~errno_kept() { errno = saved_; }

private:
    int saved_ = errno;
};

}  // namespace freehold::detail
