// SPDX-License-Identifier: BSL-1.0
// A mutex that is a pthread_mutex_t; see ../mutex.hpp. POSIX allows its use after the static
// initialisation. FreeBSD allocates memory for it at the first use.
#pragma once

#include <freehold/config.hpp>

#include <pthread.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class platform_mutex {
public:
    void lock() noexcept { static_cast<void>(::pthread_mutex_lock(&mutex_)); }
    [[nodiscard]] bool try_lock() noexcept { return ::pthread_mutex_trylock(&mutex_) == 0; }
    void unlock() noexcept { static_cast<void>(::pthread_mutex_unlock(&mutex_)); }
    void end() noexcept { static_cast<void>(::pthread_mutex_destroy(&mutex_)); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
