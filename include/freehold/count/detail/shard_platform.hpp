// SPDX-License-Identifier: BSL-1.0
// What it is: the machine's and the system's part of sharded counts: the memory of the shards, and
// which columns are in use. A model checker replaces it.
//
// The memory is one mapping: a row of notes, and a row of shards for each processor that the system
// is configured for. A row has 65,536 columns of 16 bytes. Only pages that were touched take
// memory: a page of each row for 256 counts that are shared out at once. The mapping is made when
// the first count is shared out, and stays.
#pragma once

#include <freehold/config.hpp>
#include <freehold/count/detail/bias_platform.hpp>
#include <freehold/count/detail/shard_sequence.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

struct shard_platform : restartable_platform {
    // See add_to_shard.
    template <shard_side Side>
    [[nodiscard, gnu::always_inline]] static bool add_to_own_shard(
        const atomic<std::uint16_t>& column, std::int64_t owners) noexcept {
        return add_to_shard<Side>(column, owners);
    }

    // The owners in a column's shards. The sum is exact if no thread adds to them.
    [[nodiscard]] FREEHOLD_API static std::int64_t sum_of(std::uint16_t column) noexcept;

    // The next three require the lock.

    // A column whose shards are 0, with one sharer. Returns 0 if all are in use, if there is no
    // memory for them, or if the system has no restartable sequences.
    [[nodiscard]] FREEHOLD_API static std::uint16_t take_column() noexcept;
    // How often the column's count was shared out and not gathered.
    [[nodiscard]] FREEHOLD_API static std::int64_t& sharers_of(std::uint16_t column) noexcept;
    // Returns the sum. No thread adds to them any more.
    FREEHOLD_API static std::int64_t give_back_column(std::uint16_t column) noexcept;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/count/detail/shard_platform_inl.hpp>
#endif
