// SPDX-License-Identifier: BSL-1.0
// What it is: how a manager gets its number.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/mutex.hpp>
#include <freehold/handle/detail/shared/manager_table.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI::detail {

[[gnu::visibility("default")]] inline constinit platform_mutex manager_table_mutex;
[[gnu::visibility("default")]] inline constinit std::size_t managers_in_table = 1;  // guarded by it

std::uint16_t manager_table::add(any_function added) {
    const lock_holder lock(manager_table_mutex);
    const std::size_t index = managers_in_table;
    if (index == page_size * page_size) {
        FREEHOLD_THROW(std::length_error(
            "freehold: more than 65535 kinds of arc were converted to shared_ptr"));
    }
    auto& place = pages_[index / page_size];
    // relaxed: guarded by the mutex.
    if (place.load(std::memory_order_relaxed) == nullptr)
        place.store(new page{}, std::memory_order_relaxed);
    place.load(std::memory_order_relaxed)->managers[index % page_size] = added;
    ++managers_in_table;
    return static_cast<std::uint16_t>(index);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
