// SPDX-License-Identifier: BSL-1.0
// A mutex that is usable before the first constructor and after the last destructor. The standard
// guarantees neither for std::mutex, and <mutex> takes longer to compile. Not recursive. It must
// not be moved. It has no destructor: an owner with a shorter life than the process calls end().
//
//     void lock();
//     bool try_lock();
//     void unlock();
//     void end();  // frees what the system keeps for it; no thread may use it any more
#pragma once

#include <freehold/config.hpp>

#if defined(_WIN32)
#include <freehold/detail/platform/windows/mutex.hpp>
#else
#include <freehold/detail/platform/posix/mutex.hpp>
#endif
