// SPDX-License-Identifier: BSL-1.0
// Holds a lock until its destruction. Like std::lock_guard, without <mutex>. The lock may be
// released meanwhile, but must be held again when the holder is destroyed.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Lock>
class lock_holder {
public:
    explicit lock_holder(Lock& held) noexcept : held_(held) { lock(); }
    lock_holder(const lock_holder&) = delete;
    lock_holder& operator=(const lock_holder&) = delete;
    ~lock_holder() { unlock(); }

    void lock() noexcept { held_.lock(); }
    void unlock() noexcept { held_.unlock(); }

private:
    Lock& held_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
