// SPDX-License-Identifier: BSL-1.0
// A mutex that is usable before the first constructor and after the last destructor. The standard
// guarantees neither for std::mutex, and <mutex> takes longer to compile. Not recursive. It must be
// a variable of static storage, and must not be moved.
//
//     void lock();
//     bool try_lock();
//     void unlock();
#pragma once

#include <freehold/config.hpp>

#if defined(_WIN32)
#include <freehold/detail/platform/windows/mutex.hpp>
#else
#include <freehold/detail/platform/posix/mutex.hpp>
#endif
