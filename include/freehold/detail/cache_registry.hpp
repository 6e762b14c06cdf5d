// SPDX-License-Identifier: BSL-1.0
// What it is: the mutex that guards the links between threads and their caches, of pools and of
// buffer_caches alike. One of the process, so that an exiting thread and a destroyed cache meet at
// it whatever they are.
//
// Visible even if a shared library hides its symbols: each library would otherwise have a mutex of
// its own.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/mutex.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] cache_registry {
public:
    static platform_mutex& mutex() noexcept {
        return mutex_;
    }

private:
    static inline constinit platform_mutex mutex_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
