// SPDX-License-Identifier: BSL-1.0
// What it is: how a manager gets its number.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/handle/detail/shared/manager_table.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI::detail {

[[gnu::visibility("default")]] inline constinit atomic<std::size_t> managers_in_table{1};

// Takes no lock, which a child of fork() could find taken.
std::uint16_t manager_table::add(any_function added) {
    // relaxed: each number is given once; index_of publishes the entry.
    const std::size_t index = managers_in_table.fetch_add(1, std::memory_order_relaxed);
    if (index >= page_size * pages) {
        FREEHOLD_THROW(std::length_error(
            "freehold: more than 65535 kinds of arc were converted to shared_ptr"));
    }
    atomic<page*>& place = pages_[index / page_size];
    // acquire: another thread has made the page.
    page* found = place.load(std::memory_order_acquire);
    if (found == nullptr) {
        // calloc need not write to memory that is zero already.
        auto* const made = static_cast<page*>(std::calloc(1, sizeof(page)));
        if (made == nullptr) FREEHOLD_THROW(std::bad_alloc());
        // acq_rel: publishes this page, or shows that of another thread.
        if (place.compare_exchange_strong(found, made, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
            found = made;
        } else {
            std::free(made);
        }
    }
    found->managers[index % page_size] = added;
    return static_cast<std::uint16_t>(index);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
