// SPDX-License-Identifier: BSL-1.0
// What it is: an addition to the calling processor's shard of a count, as one restartable sequence.
// restartable.hpp describes such sequences, and what restart_all promises.
//
// The sequence compares the count's column with the expected one and ends with the addition. So no
// addition to a column commits after a restart_all that began when the count had left that column.
// One instruction adds: a thread that is preempted on this processor has added or has not begun.
#pragma once

#include <freehold/config.hpp>
#include <freehold/count/detail/restartable.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// A processor's part of a count: what was counted there, and what was given up there. Two numbers,
// because an addition waits for the one before it to the same place (7 cycles on a Zen 2), and a
// copy is often released at once.
struct shard {
    std::int64_t counted;
    std::int64_t given_up;
};
enum class shard_side : unsigned { counted = 0, given_up = 8 };

// A row is the memory of one processor's shards; a column is one count's shards, one in each row.
// The column 0 is no count's. Its number says that a count is ordinary.
inline constexpr unsigned log2_of_columns = 16;
inline constexpr unsigned log2_of_shard_size = 4;
static_assert(sizeof(shard) == 1U << log2_of_shard_size);
inline constexpr std::size_t shard_columns = std::size_t{1} << log2_of_columns;

// Written once, before a count has a column.
struct shard_rows {
    std::byte* first = nullptr;
    std::uint32_t count = 0;
};

// Visible even if a shared library hides its symbols: libraries count the same objects.
[[gnu::visibility("default")]] inline constinit shard_rows rows_of_shards{};

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES

// Adds `owners` to one side of the calling processor's shard in `column`. Returns false, and adds
// nothing, if `present` is another column by now, if the processor has no row, or if the thread has
// no registration for sequences (its processor's number is negative then).
template <shard_side Side, class Column>
[[nodiscard, gnu::always_inline]] inline bool add_to_shard(const Column& present,
                                                           std::uint16_t column,
                                                           std::int64_t owners) noexcept {
    std::byte* const first = rows_of_shards.first + (std::size_t{column} << log2_of_shard_size);
retry:
    asm goto(
        ".pushsection __rseq_cs, \"aw?\"\n\t"
        ".balign 32\n"
        "3:\t.long 0, 0\n\t"
        ".quad 1f, 2f - 1f, 4f\n\t"
        ".popsection\n\t"
        ".pushsection __rseq_failure, \"ax?\"\n\t"
        ".byte 0x0f, 0xb9, 0x3d\n\t"
        ".long 0x53053053\n"
        "4:\tjmp %l[retry]\n\t"
        ".popsection\n\t"
        "leaq 3b(%%rip), %%rax\n\t"
        "movq %%rax, %%fs:8(%[area])\n"
        "1:\tmovl %%fs:4(%[area]), %%eax\n\t"
        "cmpl %[rows], %%eax\n\t"
        "jae %l[refused]\n\t"
        "cmpw %w[column], %[present]\n\t"
        "jne %l[refused]\n\t"
        "shlq %[row], %%rax\n\t"
        "addq %[owners], %c[side](%[first], %%rax)\n"
        "2:\tmovq $0, %%fs:8(%[area])\n\t"
        :
        : [area] "r"(rseq_offset), [rows] "m"(rows_of_shards.count), [column] "r"(column),
          [present] "m"(present), [row] "i"(log2_of_columns + log2_of_shard_size),
          [first] "r"(first), [owners] "er"(owners), [side] "i"(static_cast<unsigned>(Side))
        : "rax", "memory", "cc"
        : retry, refused);
    return true;
refused:
    // As in restartable.hpp: a library that is unloaded must not leave the address behind.
    asm volatile("movq $0, %%fs:8(%[area])" : : [area] "r"(rseq_offset) : "memory");
    return false;
}

#else

template <shard_side, class Column>
[[nodiscard]] inline bool add_to_shard(const Column&, std::uint16_t, std::int64_t) noexcept {
    return false;
}

#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
