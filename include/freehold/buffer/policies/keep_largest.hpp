// SPDX-License-Identifier: BSL-1.0
// What it is: a policy of buffer_cache that keeps the largest buffers, and gives them to any
// request.
// When to use it: to measure what a bad policy costs.
// When not: in any program. Small requests get large buffers, and a large buffer leaves only for a
// larger one. More entries make it worse.
// Example: `freehold::buffer_cache<freehold::keep_largest> cache({}, {.entries = 4});`
//
// Units: bytes. Each entry takes 8 bytes.
// Complexity: a get and a put are linear in the entries.
// Thread safety: see buffer_policy.
// Exceptions: the constructor throws std::bad_alloc.
// Ownership: see buffer_policy.
// Source: the flawed policy in R. Chen, "A cache with a bad policy is another name for a memory
// leak" (2006).
#pragma once

#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

class __attribute__((visibility("default"))) keep_largest {
public:
    // What the policy keeps.
    struct options {
        std::size_t entries = 1;  // the most buffers to keep
    };
    static constexpr bool per_thread = false;

    // Throws std::bad_alloc.
    explicit keep_largest(const options& settings);
    keep_largest(const keep_largest&) = delete;
    keep_largest& operator=(const keep_largest&) = delete;

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept { return size; }

    // Takes the largest block that satisfies the request, as a single entry would.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept;

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept;

    // Drops the smallest first.
    void trim(std::size_t bytes, buffer_context, dropped_buffers& dropped) noexcept;
    void trim_older(std::uint64_t nanoseconds, buffer_context context,
                    dropped_buffers& dropped) noexcept;
    [[nodiscard]] std::size_t idle_bytes() const noexcept { return idle_bytes_; }

private:
    buffer_block& removed(std::size_t index) noexcept;
    void drop(std::size_t index, dropped_buffers& dropped) noexcept;

    std::size_t max_entries_;
    // Sorted, the largest first. Never longer than its reserved capacity, so that inserting does
    // not throw.
    std::vector<buffer_block*> entries_;
    std::size_t idle_bytes_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI
