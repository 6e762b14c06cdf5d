// SPDX-License-Identifier: BSL-1.0
// The durations and clocks of std::chrono. libstdc++'s <chrono> also has calendars, which take a
// third of the time of <memory> to compile.
#pragma once

#include <version>

#if defined(__GLIBCXX__) && __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif
