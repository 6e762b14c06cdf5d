// SPDX-License-Identifier: BSL-1.0
// A mutex that is there before the first constructor and after the last destructor. Of std::mutex
// neither is promised, and <mutex> takes a compiler longer. Not recursive. A variable of static
// storage; it is not moved.
//
//     void lock();
//     bool try_lock();
//     void unlock();
#pragma once

#include <freehold/config.hpp>

#if defined(_WIN32)
#include <freehold/platform/windows/mutex.hpp>
#else
#include <freehold/platform/posix/mutex.hpp>
#endif
