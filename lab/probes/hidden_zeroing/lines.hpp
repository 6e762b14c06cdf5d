// SPDX-License-Identifier: BSL-1.0
// The types that constructs.cpp makes. All but this comment is shown on the page.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

constexpr std::size_t n = 1 << 20;

/// A cache's line as one writes it at first. No constructor is to be seen, so `line()` zeroes it.
struct line {
    char bytes[n];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

struct line_with_constructor {
    line_with_constructor() {}
    char bytes[n];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

struct line_defaulted_inside {
    line_defaulted_inside() = default;
    char bytes[n];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

struct line_defaulted_outside {
    line_defaulted_outside();
    char bytes[n];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};
inline line_defaulted_outside::line_defaulted_outside() = default;

struct inner {
    inner() {}
    char bytes[n];
};

/// Has no constructor of its own.
struct line_of_inner : inner {
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

struct line_around_inner {
    inner data;
    std::atomic<std::size_t> size = 0;
};

struct line_with_constructor_around_inner {
    line_with_constructor_around_inner() {}
    inner data;
    std::atomic<std::size_t> size = 0;
};

struct line_with_braces {
    line_with_braces() {}
    char bytes[n]{};
    std::atomic<std::size_t> size = 0;
};

struct line_with_member_list {
    line_with_member_list() : bytes() {}
    char bytes[n];
    std::atomic<std::size_t> size = 0;
};
