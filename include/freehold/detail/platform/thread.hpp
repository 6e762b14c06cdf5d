// SPDX-License-Identifier: BSL-1.0
// The system's number of the calling thread, as top and debuggers show it, and a way to yield the
// processor. Both avoid <thread>, which takes a compiler a tenth of a second.
//
//     using thread_number = ...;                an integer; no thread has the number 0
//     thread_number number_of_this_thread();
//     void yield_to_others();
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/thread_number.hpp>

#if defined(_WIN32)
#include <freehold/detail/platform/windows/thread.hpp>
#else
#include <freehold/detail/platform/posix/thread.hpp>
#endif
