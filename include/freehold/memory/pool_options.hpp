// SPDX-License-Identifier: BSL-1.0
// What it is: the options of a pool, and the exception of an exhausted pool.
// Example: `freehold::pool packets({.block_size = 2048, .maximum_capacity = 8192});`
//
// Units: bytes for sizes, blocks for capacities and magazines, nanoseconds for times.
// Complexity, thread safety: a plain struct.
// Exceptions: copying `name` or `when_exhausted` may throw. The constructor of pool checks the
// options. It throws std::invalid_argument for options that contradict each other.
// Ownership: `upstream` must outlive the pool.
// Source: none.
#pragma once

#include <freehold/detail/durations.hpp>
#include <freehold/detail/function.hpp>
#include <freehold/memory/memory_resource_fwd.hpp>
#include <freehold/memory/page_options.hpp>

#include <cstddef>
#include <cstdio>
#include <limits>
#include <new>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

class pool;

// What a pool does if it has no block for an allocation. This happens in two cases. The pool has
// `maximum_capacity` blocks and all are in use or cached by other threads. Or the upstream has no
// more memory.
enum class exhaustion {
    throw_bad_alloc,  // throws pool_exhausted
    return_null,      // allocate returns nullptr, allocate_bulk returns fewer blocks
    wait,             // waits for freed blocks, at most `wait_limit`, then throws pool_exhausted
    grow,             // grows beyond maximum_capacity, in steps of `growth`
    use_upstream,     // takes the block from the upstream, and returns it there soon after its free
    call_back,        // calls `when_exhausted`, and retries while it returns true, then throws
};

struct pool_options {
    // The maximum_capacity of a pool that may grow without a bound.
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // The size of a block in bytes. Required.
    std::size_t block_size = 0;
    // The alignment of a block in bytes: a power of two, at most 1 GiB.
    std::size_t alignment = alignof(std::max_align_t);
    // The constructor allocates initial_capacity blocks. The pool never has more than
    // maximum_capacity blocks, unless `on_exhaustion` is `grow` or `use_upstream`.
    std::size_t initial_capacity = 0;
    std::size_t maximum_capacity = unlimited;
    // The number of blocks in one step of growth. 0 means an eighth of the present capacity, at
    // least 256 KiB of blocks. With huge pages, the minimum is 2 MiB of blocks.
    std::size_t growth = 0;
    // What the pool does if it has no block.
    exhaustion on_exhaustion = exhaustion::throw_bad_alloc;
    // The limit for one call, also for one bulk call. A bulk call keeps its blocks while it waits
    // for more: without a limit, two bulk calls may wait for each other. With exhaustion::wait, a
    // bulk call for more than maximum_capacity blocks throws at once.
    std::chrono::nanoseconds wait_limit = std::chrono::nanoseconds::max();
    // The pool calls this function without a lock. The function may use the pool.
    std::function<bool(pool&)> when_exhausted = nullptr;
    // The number of blocks that a thread exchanges with the depot at a time. A thread caches at
    // most twice as many. 0 means half a MiB of blocks, at most half of a core's second-level
    // cache. On AMD's processors 0 means a MiB of blocks, at most the whole second-level cache. The
    // default is then rounded up to multiples of 32 blocks. It is at most 512 blocks, and at most
    // an eighth of maximum_capacity. The greatest value allowed is 32767.
    std::size_t magazine_size = 0;
    // The kind of pages of the pool's own page_resource. It must be `never` if `upstream` is set.
    huge_pages huge = huge_pages::never;
    // If true, the system provides all pages of each step of growth at once. If false, the pool
    // requests pages 64 KiB at a time, as blocks are first used.
    bool prefault = false;
    // The source of the blocks' memory; it must outlive the pool. nullptr means a page_resource
    // that the pool owns.
    memory_resource* upstream = nullptr;
    // Names the pool in messages and statistics.
    std::string name = {};
    // If true, the pool detects misuse, and ends the program with a message when it finds some. It
    // detects a double free, a free of a foreign address, a write past the end of a block, a write
    // before its start, and a write to a free block. Each operation then takes a lock and writes to
    // the whole block.
#ifdef FREEHOLD_CHECKED
    bool checked = true;
#else
    bool checked = false;
#endif
};

// Thrown if a pool has no block for an allocation. what() names the pool.
class pool_exhausted : public std::bad_alloc {
public:
    // The message contains as much of the pool's name as fits into 96 bytes.
    explicit pool_exhausted(const std::string& pool_name) noexcept {
        std::snprintf(message_, sizeof message_, "freehold: pool '%s' is exhausted",
                      pool_name.c_str());
    }
    // The message.
    [[nodiscard]] const char* what() const noexcept override { return message_; }

private:
    char message_[96];
};

}  // namespace freehold::inline FREEHOLD_ABI
