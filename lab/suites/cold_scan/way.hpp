// SPDX-License-Identifier: BSL-1.0
// A way to access the lines: the source of their memory, the object that keeps them, and the client
// that reads them from the server.
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

/// One thread's access. It is made before the clock starts and destroyed after it has stopped.
class reader {
public:
    reader() = default;
    virtual ~reader() = default;
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;

    /// Returns the sum of the prices in that line.
    virtual std::int64_t sum(std::size_t line) = 0;
};

/// The part that all threads of a scan share. It outlives their access.
class lines {
public:
    lines() = default;
    virtual ~lines() = default;
    lines(const lines&) = delete;
    lines& operator=(const lines&) = delete;

    virtual std::unique_ptr<reader> make_reader() = 0;

    /// The most memory for lines that it held at any moment, if it has a bound.
    virtual std::size_t most_line_bytes() { return 0; }
};

struct way {
    identity is;
    std::function<std::unique_ptr<lines>(const object_store&)> make;
    /// Keeps every line, so that a second scan is warm.
    bool keeps_all = false;
    /// Returns the most memory for lines that the way uses. Empty if it has no bound.
    std::function<std::size_t(const object_store&)> bound = {};
};

inline constexpr identity line_cache_subject = {
    .name = "freehold::line_cache", .family = family::freehold, .order = 21};

/// The number of scanning threads: as many as the machine runs at a time, but at least two, so that
/// one can scan while the other waits for the server.
inline std::size_t scanning_threads() {
    return std::max(2U, std::thread::hardware_concurrency());
}

/// The number of lines that a bounded way holds: a quarter of the data, and enough that each thread
/// can hold one line while it reads another.
inline std::size_t lines_held(const object_store& store) {
    return std::max(store.lines() / 4, 2 * scanning_threads());
}

/// The ways that read by libcurl into memory of each kind, and those that read the server's files.
std::vector<way> ways_without_cache();

/// The ways with freehold::line_cache over freehold::s3_source.
std::vector<way> ways_with_cache();

}  // namespace lab::cold_scan
