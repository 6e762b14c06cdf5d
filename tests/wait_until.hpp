// SPDX-License-Identifier: BSL-1.0
// WAIT_UNTIL(condition): waits for what other threads do, but at most two minutes. Then the test
// fails, and with it the process, because nothing that comes after such a failure would end.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace freehold::tests {

inline constexpr std::chrono::minutes longest_wait{2};

[[noreturn]] inline void end_after_waiting(const char* file, int line, const std::string& what) {
    ADD_FAILURE_AT(file, line) << "waited " << longest_wait.count() << " minutes for: " << what;
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE);
}

template <class Condition>
void wait_until(Condition&& condition, const char* file, int line, const char* what) {
    const auto end = std::chrono::steady_clock::now() + longest_wait;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) end_after_waiting(file, line, what);
        std::this_thread::yield();
    }
}

}  // namespace freehold::tests

#define WAIT_UNTIL(...)                                                                      \
    ::freehold::tests::wait_until([&]() -> bool { return __VA_ARGS__; }, __FILE__, __LINE__, \
                                  #__VA_ARGS__)
