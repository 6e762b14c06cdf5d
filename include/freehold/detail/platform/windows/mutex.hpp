// SPDX-License-Identifier: BSL-1.0
// A mutex that is a slim reader/writer lock in exclusive mode; see ../mutex.hpp.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/windows/kernel32.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class platform_mutex {
public:
    void lock() noexcept { ::AcquireSRWLockExclusive(as_lock()); }
    [[nodiscard]] bool try_lock() noexcept { return ::TryAcquireSRWLockExclusive(as_lock()) != 0; }
    void unlock() noexcept { ::ReleaseSRWLockExclusive(as_lock()); }
    void end() noexcept {}

private:
    _RTL_SRWLOCK* as_lock() noexcept { return reinterpret_cast<_RTL_SRWLOCK*>(&lock_); }

    void* lock_ = nullptr;  // SRWLOCK_INIT
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
