// SPDX-License-Identifier: BSL-1.0
// What it is: the options of a line_cache, and the exception that it throws when it is full.
// Example: `freehold::line_cache_options{.capacity = std::size_t{4} << 30, .prefetch = 4}`
//
// Units: bytes, unless a member says otherwise.
// Complexity, thread safety: a plain struct.
// Exceptions: copying `name` may throw std::bad_alloc.
// Ownership: `upstream` must outlive the cache and all its lines.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/compiled.hpp>
#include <freehold/detail/durations.hpp>
#include <freehold/memory/memory_resource_fwd.hpp>
#include <freehold/memory/page_options.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct line_cache_options {
    // What a get does if every line is pinned and the capacity is reached. If a line is not held by
    // a reader but is still being fetched, a get waits for it in both cases, for at most
    // `wait_limit`. Asynchronous gets never wait for memory.
    enum class full {
        fail,  // throw cache_full
        wait   // wait for a released line, for at most `wait_limit`, then throw
    };

    // A multiple of 4096. Lines of a multiple of 2 MiB use whole huge pages.
    std::size_t line_size = std::size_t{8} << 20;
    // The bound on all memory for lines, including pinned lines. Required.
    std::size_t capacity = 0;
    // How much of the capacity the constructor takes. With `prefault` or a prefaulted upstream, the
    // first scan then waits for no new memory.
    std::size_t reserve = 0;
    // What happens if all lines are in use, and the longest wait for one.
    full when_full = full::fail;
    std::chrono::milliseconds wait_limit{10'000};
    // The number of lines to prefetch after the line that is read.
    unsigned prefetch = 0;
    // The most adjacent lines that one request may ask for.
    unsigned coalesce = 1;
    // Options of the cache's own page_resource.
    huge_pages huge = huge_pages::transparent;
    bool prefault = false;
    // If false, a fork does not make the pages copy-on-write; the child must not read lines.
    bool in_children = false;
    // A source of memory instead of the page_resource.
    memory_resource* upstream = nullptr;
    // Names the cache in messages.
    std::string name = {};
};

// Thrown by a get if every line is in use. what() names the cache.
class __attribute__((visibility("default"))) cache_full : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    ~cache_full() override;
};

}  // namespace freehold::inline FREEHOLD_ABI
