// SPDX-License-Identifier: BSL-1.0
// How a line_cache is to be, what it tells of itself, and what it throws when it is full.
#pragma once

#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace freehold {

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

// A get for which there was no memory, for every line is in use. what() names the cache.
class cache_full : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace freehold
