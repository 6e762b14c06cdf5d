// SPDX-License-Identifier: BSL-1.0
// The type into which the article's query engine reads an object's bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

namespace lab::lines {

constexpr std::size_t line_bytes = std::size_t{8} << 20;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

/// The program needs no zeros, but `line()` zeroes the bytes first.
struct line {
    std::byte data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

/// The article's remedy.
struct line_with_constructor {
    std::byte data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;

    line_with_constructor() {}
};

}  // namespace lab::lines
