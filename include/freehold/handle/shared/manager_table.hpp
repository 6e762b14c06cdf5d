// SPDX-License-Identifier: BSL-1.0
// Numbers for managers, where there is room for a number but none for a pointer. A manager gets its
// number when it is first asked for and keeps it; 0 is never given.
//
// Costs 512 bytes for each type of manager, and 2 KiB for each 256 managers in use.
// Thread-safe. Exceptions: taking a number throws std::bad_alloc, or std::length_error when all
// 65,535 are taken; reading does not throw.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>

namespace freehold::detail {

template <class Manager>
class manager_table {
    static constexpr std::size_t page_size = 256;
    using page = std::array<Manager, page_size>;

public:
    template <Manager Numbered>
    [[nodiscard]] static std::uint16_t index_of() {
        static const std::uint16_t index = add(Numbered);
        return index;
    }

    [[nodiscard]] static Manager at(std::uint16_t index) noexcept {
        // relaxed: whoever knows an index comes after the entry was written.
        return (*pages_[index / page_size].load(std::memory_order_relaxed))[index % page_size];
    }

private:
    static std::uint16_t add(Manager added) {
        const std::lock_guard lock(mutex_);
        if (used_ == page_size * page_size)
            throw std::length_error(
                "freehold: more than 65535 kinds of arc were converted to shared_ptr");
        auto& place = pages_[used_ / page_size];
        // relaxed: guarded by the mutex.
        if (place.load(std::memory_order_relaxed) == nullptr)
            place.store(new page{}, std::memory_order_relaxed);
        (*place.load(std::memory_order_relaxed))[used_ % page_size] = added;
        return static_cast<std::uint16_t>(used_++);
    }

    static inline constinit std::mutex mutex_;
    static inline constinit std::size_t used_ = 1;
    // Never freed: handles in other statics may be released after this table's end.
    static inline constinit std::array<std::atomic<page*>, page_size> pages_{};
};

}  // namespace freehold::detail
