// SPDX-License-Identifier: BSL-1.0
// std::function. libstdc++'s <functional> also has hash tables and searchers, which take a quarter
// of the time of <memory> to compile.
#pragma once

#include <version>

#if defined(__GLIBCXX__) && __has_include(<bits/std_function.h>)
#include <memory>

#include <bits/std_function.h>
#else
#include <functional>
#endif
