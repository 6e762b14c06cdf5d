// SPDX-License-Identifier: BSL-1.0
// What a query engine reads an object's bytes into, as the article has it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

namespace lab::lines {

constexpr std::size_t line_bytes = std::size_t{8} << 20;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

/// Nobody asks for zeros, but a `line()` is zeroed first.
struct line {
    std::byte data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};

/// The article's cure.
struct line_with_constructor {
    std::byte data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;

    line_with_constructor() {}
};

}  // namespace lab::lines
