// SPDX-License-Identifier: BSL-1.0
// A lock for critical sections of a few instructions without calls. A waiting thread spins, and
// yields the processor after 64 rounds. Thread-safe; not recursive.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Lets another thread run.
[[gnu::cold]] FREEHOLD_API void yield_processor() noexcept;

class spin_lock {
public:
    constexpr spin_lock() noexcept = default;
    spin_lock(const spin_lock&) = delete;
    spin_lock& operator=(const spin_lock&) = delete;

    void lock() noexcept {
        // seq_cst: acquires the writes of former holders, and puts all sections of all locks into
        // one order. So operations that consist of such a section are sequentially consistent.
        while (taken_.exchange(true, std::memory_order_seq_cst)) {
            // relaxed: the exchange above decides. A load leaves the cache line with the holder. A
            // holder that was interrupted needs the processor.
            for (int i = 0; taken_.load(std::memory_order_relaxed); ++i) {
                if (i >= spins) yield_processor();
            }
        }
    }

    // release: the next holder sees the writes of this one, and the reads of this one stay before
    // its writes.
    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int spins = 64;
    atomic<bool> taken_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/detail/spin_lock_inl.hpp>
#endif
