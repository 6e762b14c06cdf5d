// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache does apart from its fast paths, compiled once for all policies.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/buffer_cache_options.hpp>
#include <freehold/buffer/buffer_cache_statistics.hpp>
#include <freehold/buffer/detail/buffer_thread_cache.hpp>
#include <freehold/buffer/detail/idle_policy.hpp>
#include <freehold/buffer/detail/quota.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// How a cache makes what has the type of its policy, and how it reads its clock. `options` are the
// policy's.
struct buffer_cache_parts {
    bool per_thread;
    std::uint64_t (*now)() noexcept;  // nanoseconds
    std::unique_ptr<idle_policy> (*make_policy)(const void* options);
    std::unique_ptr<buffer_thread_cache> (*make_thread_cache)(buffer_cache_state& state,
                                                              const void* options,
                                                              std::size_t max_idle_bytes,
                                                              std::uint32_t thread);
};

// Debuggers print these.
struct buffer_cache_figures {
    explicit buffer_cache_figures(buffer_cache_options settings)
        : options(std::move(settings)), quota(options.max_idle) {}

    const buffer_cache_options options;
    byte_quota quota;
    std::size_t thread_caches = 0;
};

class __attribute__((visibility("default"))) buffer_cache_core {
public:
    // `policy_options` must outlive the core.
    buffer_cache_core(buffer_cache_options options, const buffer_cache_parts& parts,
                      const void* policy_options);
    buffer_cache_core(const buffer_cache_core&) = delete;
    buffer_cache_core& operator=(const buffer_cache_core&) = delete;
    ~buffer_cache_core();

    // The calling thread's cache, or nullptr if it has none in the table.
    [[nodiscard, gnu::always_inline]] buffer_thread_cache* fast_thread_cache() const noexcept {
        return static_cast<buffer_thread_cache*>(buffer_thread_cache_table::fast(fast_slot_));
    }
    // For a thread that has none.
    [[nodiscard]] buffer_block& get(std::size_t size, std::size_t alignment);
    void give_back(buffer_block& block) noexcept;

    // As the functions of buffer_cache.
    [[nodiscard]] buffer_thread_cache& open_session();
    void trim(std::size_t idle_bytes) noexcept;
    void trim_older_than(std::chrono::nanoseconds age) noexcept;
    [[nodiscard]] buffer_cache_statistics statistics() const;
    [[nodiscard]] std::vector<size_bucket> histogram() const;
    [[nodiscard]] const buffer_cache_options& options() const noexcept { return figures_.options; }

private:
    const std::unique_ptr<buffer_cache_state> state_;
    const std::size_t fast_slot_;
    const buffer_cache_figures& figures_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
