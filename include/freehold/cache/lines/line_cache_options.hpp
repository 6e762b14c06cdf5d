// SPDX-License-Identifier: BSL-1.0
// How a line_cache is to be, what it tells of itself, and what it throws when it is full.
#pragma once

#include <freehold/cache/lines/wait_histogram.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct line_cache_options {
    // What a get does when each line is pinned and capacity is reached. For lines that nobody holds
    // and that are only being fetched it waits in any case, at most `wait_limit`. Asynchronous gets
    // never wait for memory.
    enum class full {
        fail,  // throws cache_full
        wait   // waits until a line is released, at most `wait_limit`, then throws
    };

    // Bytes, a multiple of 4096. Lines of a multiple of 2 MiB stand on huge pages from end to end.
    std::size_t line_size = std::size_t{8} << 20;
    // Bytes. All memory for lines together is never more, pinned lines included. Must be given.
    std::size_t capacity = 0;
    full when_full = full::fail;
    std::chrono::milliseconds wait_limit{10'000};
    // How many lines behind the one that is read are fetched ahead.
    unsigned prefetch = 0;
    // How many neighbouring lines one request may ask for, where several are to be fetched.
    unsigned coalesce = 1;
    // Of the cache's own page_resource.
    huge_pages huge = huge_pages::transparent;
    bool prefault = false;
    // False keeps the pages warm when the process forks; the child must not read lines then.
    bool in_children = false;
    // Where lines come from instead; must outlive the cache and all its lines.
    memory_resource* upstream = nullptr;
    // In messages.
    std::string name = {};
};

// Each figure was true at some moment; bytes are of line memory.
struct line_cache_statistics {
    std::uint64_t hits = 0;        // gets that found all they asked for
    std::uint64_t joined = 0;      // gets that waited for a fetch under way
    std::uint64_t misses = 0;      // gets that started a fetch
    std::uint64_t prefetched = 0;  // lines fetched ahead
    std::uint64_t refetched = 0;   // lines fetched again soon after their eviction
    std::uint64_t requests = 0;    // to the source
    std::uint64_t failures = 0;    // of those
    std::uint64_t cancelled = 0;   // gets that were given up by their stop token
    std::uint64_t refusals = 0;    // gets and prefetches for which there was no memory
    std::uint64_t evictions = 0;
    std::uint64_t bytes_fetched = 0;
    std::uint64_t bytes_wasted = 0;  // fetched, and dropped before anybody asked for the line
    std::uint64_t bytes_zeroed = 0;  // by the system, under lines whose memory was new
    std::uint64_t faults = 0;        // of pages, while lines were filled
    std::size_t bytes_held = 0;      // from the upstream, free lines included
    std::size_t most_bytes_held = 0;
    std::size_t bytes_in_lines = 0;  // of lines that are in the cache, or held by readers
    std::size_t lines = 0;           // in the cache
    wait_histogram waits;            // of blocking gets that did not find all they asked for
};

// A get for which there was no memory, for every line is in use. what() names the cache.
class cache_full : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

// Throws std::invalid_argument if they make no sense.
inline const line_cache_options& checked(const line_cache_options& options) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("line_cache '" + options.name + "': " + why);
    };
    if (options.line_size == 0 || options.line_size % 4096 != 0) {
        refuse("line_size is " + std::to_string(options.line_size) +
               "; it must be a multiple of 4096");
    }
    if (options.capacity < options.line_size) {
        refuse("capacity is " + std::to_string(options.capacity) +
               " bytes; it must be at least one line, " + std::to_string(options.line_size));
    }
    if (options.coalesce == 0) refuse("coalesce is 0; a request asks for at least one line");
    return options;
}

inline std::string all_in_use(const line_cache_options& options) {
    return "line_cache '" + options.name + "': all " +
           std::to_string(options.capacity / options.line_size) + " lines of " +
           std::to_string(options.line_size) +
           " bytes are in use; release lines, or give it more capacity";
}

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
