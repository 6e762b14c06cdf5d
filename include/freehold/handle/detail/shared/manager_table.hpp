// SPDX-License-Identifier: BSL-1.0
// What it is: numbers for managers, for blocks that have room for a number but not for a pointer. A
// manager gets its number at the first request and keeps it. No manager gets 0.
// Units: 256 bytes of zeros, which are in most programs' last page of data, and 16 KiB of address
// space for each 2048 managers in use. A page of these takes memory after its first use only.
// Thread safety: all functions may be called by several threads at once.
// Exceptions: taking a number throws std::bad_alloc, or std::length_error if all 65,535 are taken.
// Reading does not throw.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Visible even where a shared library is compiled to hide its symbols: a number means the same
// manager in the whole process.
class [[gnu::visibility("default")]] manager_table {
    static constexpr std::size_t page_size = 2048;
    static constexpr std::size_t pages = 32;
    using any_function = void (*)();
    struct page {
        any_function managers[page_size];
    };

public:
    template <auto Manager>
    [[nodiscard]] static std::uint16_t index_of() {
        // Not a variable that the first call initialises: see fork_functions. Threads that take a
        // number at once may take several, of which all mean this manager.
        static constinit atomic<std::uint16_t> index{0};
        // acquire: the thread sees the entry.
        std::uint16_t found = index.load(std::memory_order_acquire);
        if (found == 0) [[unlikely]] {
            found = add(reinterpret_cast<any_function>(Manager));
            // release: pairs with the acquire above.
            index.store(found, std::memory_order_release);
        }
        return found;
    }

    // `Manager` is the type of the manager that has this number.
    template <class Manager>
    [[nodiscard]] static Manager at(std::uint16_t index) noexcept {
        // relaxed: a thread that knows an index comes after the write of its entry.
        const page* const found = pages_[index / page_size].load(std::memory_order_relaxed);
        return reinterpret_cast<Manager>(found->managers[index % page_size]);
    }

private:
    [[nodiscard]] FREEHOLD_API static std::uint16_t add(any_function added);

    // Never freed: handles in other statics may be released after this table's end.
    static inline constinit atomic<page*> pages_[pages]{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/handle/detail/shared/manager_table_inl.hpp>
#endif
