// SPDX-License-Identifier: BSL-1.0
// Where the chunks of a heap are, in two bits for each 16 bytes: whether a chunk begins there, and
// whether it is in use. Chunks in use have numbers, in the order of their addresses: a number is
// how many such bits are before the chunk.
#pragma once

#include "owners/memory_image.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

constexpr std::uint32_t no_number = UINT32_MAX;

/// Memory that an allocator has handed out.
struct heap_chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t number = no_number;

    explicit operator bool() const { return number != no_number; }
    [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

class heap_map {
public:
    /// Memory in which many chunks begin, all at multiples of 16 from `begin`. A chunk's memory
    /// ends 8 bytes before that of the next.
    class range {
    public:
        range(std::uint64_t begin, std::uint64_t end);
        void add(std::uint64_t chunk, bool is_used);

    private:
        friend class heap_map;
        std::uint64_t begin_;
        std::uint64_t end_;
        bool is_single_ = false;  // one chunk, which is in use
        std::vector<std::uint64_t> begins_;
        std::vector<std::uint64_t> used_;
        // Of each group of words of these bits:
        std::vector<std::uint32_t> numbers_;  // the number of the first chunk in use
        std::vector<std::uint32_t> last_;     // where the last chunk before begins, in 16 bytes
        std::vector<std::uint32_t> samples_;  // the group of each 64th chunk in use
        std::uint32_t first_number_ = 0;
        std::uint32_t behind_ = 0;  // the last chunk's number, and 1
    };

    void add(range&& made) { ranges_.push_back(std::move(made)); }
    void add_single(std::uint64_t begin, std::uint64_t end);
    /// Gives the chunks their numbers. It must be called before the searches below. Throws
    /// owners_error if there are more than 2^31 chunks.
    void number();
    /// Says that the chunk that begins there is not in use. The numbers then are no longer right.
    void free(std::uint64_t begin);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// Whether a chunk that is in use begins at an address. It needs no numbers, but their order.
    [[nodiscard]] bool begins_at(std::uint64_t address) const;
    /// Returns the chunk around an address, or none. The result's `end` is not set, because few
    /// need it.
    [[nodiscard]] heap_chunk around(std::uint64_t address) const;
    /// Returns the chunk that begins at an address, or none.
    [[nodiscard]] heap_chunk from(std::uint64_t address) const;
    /// Returns the number of that chunk, or no_number.
    [[nodiscard]] std::uint32_t number_from(std::uint64_t address) const;
    [[nodiscard]] heap_chunk operator[](std::uint32_t number) const;

    /// Calls `use(chunk)` for each chunk in use, in the order of their addresses.
    template <class Use>
    void for_each(Use use) const {
        for (const range& each : ranges_) {
            if (each.is_single_) {
                use(heap_chunk{each.begin_, each.end_, each.first_number_});
                continue;
            }
            std::uint32_t number = each.first_number_;
            for (std::size_t i = 0; i != each.used_.size(); ++i)
                for (std::uint64_t left = each.used_[i]; left != 0; left &= left - 1) {
                    const std::size_t at = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
                    use(heap_chunk{each.begin_ + at * granule, end_of(each, at), number++});
                }
        }
    }

private:
    static constexpr std::uint64_t granule = 16;
    static constexpr std::size_t words_of_group = 8;

    [[nodiscard]] const range* find(std::uint64_t address) const;
    static std::uint64_t end_of(const range& in, std::size_t at);
    static std::uint32_t number_of(const range& in, std::size_t at);

    std::vector<range> ranges_;  // sorted once they have numbers
    std::uint32_t size_ = 0;
    mutable std::size_t last_found_ = 0;
};

}  // namespace freehold
