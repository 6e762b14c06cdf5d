// SPDX-License-Identifier: BSL-1.0
// A lock for sections of a few instructions that call nothing: a thread spins for it, and yields
// the processor if it spins long.
#pragma once

#include <freehold/config.hpp>

#include <atomic>

namespace freehold::inline FREEHOLD_ABI::detail {

// Lets another thread run.
[[gnu::cold]] FREEHOLD_API void yield_processor() noexcept;

class spin_lock {
public:
    constexpr spin_lock() noexcept = default;
    spin_lock(const spin_lock&) = delete;
    spin_lock& operator=(const spin_lock&) = delete;

    void lock() noexcept {
        // seq_cst: acquires what former holders wrote, and puts all sections of all locks in one
        // order, so that operations which are sections can be called sequentially consistent.
        while (taken_.exchange(true, std::memory_order_seq_cst)) {
            // relaxed: the exchange above decides. A load leaves the cache line with the holder; a
            // holder that was interrupted needs the processor.
            for (int i = 0; taken_.load(std::memory_order_relaxed); ++i) {
                if (i >= spins) yield_processor();
            }
        }
    }

    // release: the next holder sees what this one wrote and read.
    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int spins = 64;
    std::atomic<bool> taken_{false};
};

// std::lock_guard, without <mutex>.
class spin_guard {
public:
    explicit spin_guard(spin_lock& lock) noexcept : lock_(lock) { lock_.lock(); }
    spin_guard(const spin_guard&) = delete;
    spin_guard& operator=(const spin_guard&) = delete;
    ~spin_guard() { lock_.unlock(); }

private:
    spin_lock& lock_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/spin_lock_inl.hpp>
#endif
