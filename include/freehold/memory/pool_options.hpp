// SPDX-License-Identifier: BSL-1.0
// How a pool is to be, and what it says when it has no block.
#pragma once

#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <new>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

class pool;

// What a pool does for an allocation when it has `maximum_capacity` blocks and all are in use, or
// cached by other threads, or when its upstream has no more memory.
enum class exhaustion {
    throw_bad_alloc,  // throws pool_exhausted
    return_null,      // allocate returns nullptr, allocate_bulk fewer than asked
    wait,             // waits until blocks are freed, at most `wait_limit`, then throws
    grow,             // grows beyond maximum_capacity, by steps of `growth`
    use_upstream,     // takes the block from the upstream, to which it returns soon after its free
    call_back,        // calls `when_exhausted`, and tries again as long as that returns true
};

struct pool_options {
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // Bytes. Must be given.
    std::size_t block_size = 0;
    // Bytes, a power of two.
    std::size_t alignment = alignof(std::max_align_t);
    // Blocks that are had when the pool is made, and at most.
    std::size_t initial_capacity = 0;
    std::size_t maximum_capacity = unlimited;
    // Blocks that are had at a time. 0: an eighth of those there are, at least 256 KiB of them,
    // 2 MiB with huge pages.
    std::size_t growth = 0;
    exhaustion on_exhaustion = exhaustion::throw_bad_alloc;
    // For a whole call, in bulk too. A bulk call keeps what it has while it waits for more: without
    // a limit, two of them may wait for each other.
    std::chrono::nanoseconds wait_limit = std::chrono::nanoseconds::max();
    // Is called without a lock, and may use the pool.
    std::function<bool(pool&)> when_exhausted = nullptr;
    // Blocks that a thread exchanges with the others at a time; it caches at most twice as many.
    // 0: half a MiB of them, on AMD's processors a MiB, but no more than half a core's second-level
    // cache, there the whole, in whole bursts of 32, up to 512 and an eighth of maximum_capacity.
    std::size_t magazine_size = 0;
    // Of the pool's own page_resource.
    huge_pages huge = huge_pages::never;
    // Whether the system is to give each step of growth its pages at once. Without it, it does so
    // 64 KiB at a time.
    bool prefault = false;
    // Where memory comes from; nullptr: a page_resource of the pool's own. It must outlive the
    // pool.
    memory_resource* upstream = nullptr;
    // In messages and statistics.
    std::string name = {};
    // Looks for what is wrong with the use of the pool, and ends the program with a message if it
    // finds something: blocks freed twice or not of this pool, written to behind their end or in
    // front of their begin, or written to while free. Each operation takes a lock then and writes
    // to the whole block.
#ifdef FREEHOLD_CHECKED
    bool checked = true;
#else
    bool checked = false;
#endif
};

// An allocation that a pool had no block for. what() names the pool.
class pool_exhausted : public std::bad_alloc {
public:
    explicit pool_exhausted(const std::string& pool_name) noexcept {
        std::snprintf(message_, sizeof message_, "freehold: pool '%s' is exhausted",
                      pool_name.c_str());
    }
    [[nodiscard]] const char* what() const noexcept override { return message_; }

private:
    char message_[96];
};

}  // namespace freehold::inline FREEHOLD_ABI
