// SPDX-License-Identifier: BSL-1.0
// What it is: the definitions of shard_platform.
#pragma once

#include <freehold/count/detail/shard_platform.hpp>

#include <cstddef>
#include <cstdint>

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// Which columns are free. Guarded by the lock.
struct free_columns {
    // The note of a free column is the next free one.
    std::uint16_t first = 0;
    std::uint32_t used_so_far = 1;
};
[[gnu::visibility("default")]] inline constinit free_columns columns_that_are_free{};

inline constexpr std::size_t size_of_row = shard_columns << log2_of_shard_size;

[[nodiscard]] inline shard& shard_of(std::uint32_t row, std::uint16_t column) noexcept {
    return reinterpret_cast<shard*>(rows_of_shards.first() + row * size_of_row)[column];
}

// Threads may count meanwhile.
[[nodiscard]] inline std::int64_t balance_of(const shard& of) noexcept {
    return __atomic_load_n(&of.counted, __ATOMIC_RELAXED) -
           __atomic_load_n(&of.given_up, __ATOMIC_RELAXED);
}

std::int64_t shard_platform::sum_of(std::uint16_t column) noexcept {
    std::int64_t sum = 0;
    for (std::uint32_t row = 0; row != rows_of_shards.count(); ++row)
        sum += balance_of(shard_of(row, column));
    return sum;
}

// The notes are the row before the first.
std::int64_t& shard_platform::sharers_of(std::uint16_t column) noexcept {
    return reinterpret_cast<shard*>(rows_of_shards.first() - size_of_row)[column].counted;
}

inline bool map_rows() noexcept {
#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
    const long processors = ::sysconf(_SC_NPROCESSORS_CONF);
    constexpr long most = 8192;  // of Linux on an x86-64
    const auto rows = static_cast<std::uint16_t>(processors < 1      ? 1
                                                 : processors > most ? most
                                                                     : processors);
    void* const memory = ::mmap(nullptr, (rows + 1U) * size_of_row, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    // A huge page would take 2 MiB for a few shards. The system may lack the advice.
    static_cast<void>(::madvise(memory, (rows + 1U) * size_of_row, MADV_NOHUGEPAGE));
    rows_of_shards = shard_rows(static_cast<std::byte*>(memory) + size_of_row, rows);
    return true;
#else
    return false;
#endif
}

std::uint16_t shard_platform::take_column() noexcept {
    if (!can_restart() || (rows_of_shards.first() == nullptr && !map_rows())) return 0;
    free_columns& free = columns_that_are_free;
    std::uint16_t column = free.first;
    if (column != 0) {
        free.first = static_cast<std::uint16_t>(sharers_of(column));
    } else {
        if (free.used_so_far == shard_columns) return 0;
        column = static_cast<std::uint16_t>(free.used_so_far++);
    }
    sharers_of(column) = 1;
    return column;
}

std::int64_t shard_platform::give_back_column(std::uint16_t column) noexcept {
    std::int64_t sum = 0;
    for (std::uint32_t row = 0; row != rows_of_shards.count(); ++row) {
        shard& each = shard_of(row, column);
        sum += balance_of(each);
        // A page that was only read takes no memory.
        if ((each.counted | each.given_up) != 0) each = shard{};
    }
    sharers_of(column) = columns_that_are_free.first;
    columns_that_are_free.first = column;
    return sum;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
