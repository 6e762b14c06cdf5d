// SPDX-License-Identifier: BSL-1.0
// A way of getting at the lines: where their memory comes from, who keeps them, and who reads them
// from the server.
#pragma once

#include "runner/subject.hpp"
#include "suites/cold_scan/store.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace lab::cold_scan {

/// One thread's access, made before the clock starts and destroyed after it stopped.
class reader {
public:
    reader() = default;
    virtual ~reader() = default;
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;

    /// The sum of the prices in that line.
    virtual std::int64_t sum(std::size_t line) = 0;
};

/// What all threads of a scan share; outlives their access.
class lines {
public:
    lines() = default;
    virtual ~lines() = default;
    lines(const lines&) = delete;
    lines& operator=(const lines&) = delete;

    virtual std::unique_ptr<reader> make_reader() = 0;

    /// The most memory for lines that it held at any moment, where it has a bound.
    virtual std::size_t most_line_bytes() { return 0; }
};

struct way {
    identity is;
    std::function<std::unique_ptr<lines>(const object_store&)> make;
    /// Keeps every line: what is scanned again is warm.
    bool keeps_all = false;
    /// So much memory for lines it never exceeds, where it says so.
    std::function<std::size_t(const object_store&)> bound = {};
};

inline constexpr identity line_cache_subject = {
    .name = "freehold::line_cache", .family = family::freehold, .order = 21};

/// How many threads scan: as many as the machine runs at a time, but two at least, so that one can
/// scan while the other waits for the server.
inline std::size_t scanning_threads() {
    return std::max(2U, std::thread::hardware_concurrency());
}

/// How many lines a way holds that does not keep all: a quarter of the data, and enough for each
/// thread to hold one while it reads another.
inline std::size_t lines_held(const object_store& store) {
    return std::max(store.lines() / 4, 2 * scanning_threads());
}

/// Reading by libcurl into memory of each kind, and the server's files themselves.
std::vector<way> ways_without_cache();

/// freehold::line_cache over freehold::s3_source.
std::vector<way> ways_with_cache();

}  // namespace lab::cold_scan
