// SPDX-License-Identifier: BSL-1.0
// Restores errno at the end of its scope: an allocation that succeeds must not change errno.
#pragma once

#include <freehold/config.hpp>

#include <cerrno>

namespace freehold::inline FREEHOLD_ABI::detail {

class errno_kept {
public:
    errno_kept() noexcept = default;
    errno_kept(const errno_kept&) = delete;
    errno_kept& operator=(const errno_kept&) = delete;
    ~errno_kept() { errno = saved_; }

private:
    int saved_ = errno;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
