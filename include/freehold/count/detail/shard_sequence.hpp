// SPDX-License-Identifier: BSL-1.0
// What it is: an addition to the calling processor's shard of a count, as one restartable sequence.
// restartable.hpp describes such sequences, and what restart_all promises.
//
// The sequence compares the count's column with the one that it read before, and ends with the
// addition. So no addition to a column commits after a restart_all that began when the count had
// left that column.
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

// Where the rows are, and how many, in one word: what limits a sequence on a Zen 3 is how often it
// reads memory. Written once, before a count has a column.
class shard_rows {
public:
    constexpr shard_rows() noexcept = default;
    // Linux maps nothing above 2^48 unless it is asked to.
    shard_rows(std::byte* first, std::uint16_t count) noexcept
        : word_(reinterpret_cast<std::uintptr_t>(first) << log2_of_most_rows | count) {}

    [[nodiscard]] std::byte* first() const noexcept {
        return reinterpret_cast<std::byte*>(word_ >> log2_of_most_rows);
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return word_ & 0xffff; }

    static constexpr unsigned log2_of_most_rows = 16;

private:
    std::uint64_t word_ = 0;
};

// Visible even if a shared library hides its symbols: libraries count the same objects.
[[gnu::visibility("default")]] inline constinit shard_rows rows_of_shards{};

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES

// Adds `owners` to one side of the calling processor's shard in the column that a count has.
// Returns false, and adds nothing, if the count has no column or loses it meanwhile, if the
// processor has no row, or if the thread has no registration for sequences (its processor's number
// is negative then, and its lower half larger than any number of rows).
//
// The comparison acquires the column, as every load does on an x86-64: what this thread counts from
// here on, in a shard or not, comes after the anchor. The column may be that of a later share_out()
// than the one that was read first, with the same number: then the shard is the zero that gather()
// has left between them.
template <shard_side Side, class Column>
[[nodiscard, gnu::always_inline]] inline bool add_to_shard(const Column& column,
                                                           std::int64_t owners) noexcept {
    // Not operands: clang++ 14 inlines fewer calls of code with more of them.
    static_assert(log2_of_columns + log2_of_shard_size == 20 && log2_of_shard_size == 4);
    static_assert(shard_rows::log2_of_most_rows == 16);
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
        "movzwl %[column], %%ecx\n\t"
        "testl %%ecx, %%ecx\n\t"
        "jz %l[ordinary]\n\t"
        "leaq 3b(%%rip), %%rax\n\t"
        "movq %%rax, %%fs:8(%[area])\n"
        "1:\tmovl %%fs:4(%[area]), %%eax\n\t"
        "movq %[rows], %%rdx\n\t"
        "cmpw %%dx, %%ax\n\t"
        "jae %l[refused]\n\t"
        "cmpw %%cx, %[column]\n\t"
        "jne %l[refused]\n\t"
        "shlq $20, %%rax\n\t"
        "shrq $16, %%rdx\n\t"
        "shll $4, %%ecx\n\t"
        "addq %%rdx, %%rax\n\t"
        "addq %[owners], %c[side](%%rax, %%rcx)\n"
        "2:\tmovq $0, %%fs:8(%[area])\n\t"
        :
        : [area] "r"(rseq_offset), [rows] "m"(rows_of_shards), [column] "m"(column),
          [owners] "er"(owners), [side] "i"(static_cast<unsigned>(Side))
        : "rax", "rcx", "rdx", "memory", "cc"
        : retry, refused, ordinary);
    return true;
refused:
    // As in restartable.hpp: a library that is unloaded must not leave the address behind.
    asm volatile("movq $0, %%fs:8(%[area])" : : [area] "r"(rseq_offset) : "memory");
ordinary:
    return false;
}

#else

template <shard_side, class Column>
[[nodiscard]] inline bool add_to_shard(const Column&, std::int64_t) noexcept {
    return false;
}

#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
