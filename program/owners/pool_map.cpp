// SPDX-License-Identifier: BSL-1.0
#include "owners/pool_map.hpp"

#include <algorithm>
#include <bit>

namespace freehold {
namespace {

constexpr std::uint64_t bits_of_word = 64;
constexpr std::uint64_t line = 64;  // of the processor's cache
constexpr std::uint64_t most_in_magazine = std::uint64_t{1} << 16;

// A magazine has its blocks behind a head, in which are the next one's number in its stack and its
// own.
constexpr std::uint64_t magazine_head = line;
constexpr std::uint64_t own_number = 4;

// detail::thread_cache, and what opened_cache adds.
namespace cache_at {
constexpr std::uint64_t top = 0;
constexpr std::uint64_t bottom = 8;
constexpr std::uint64_t end = 16;
constexpr std::uint64_t loaded = 32;
constexpr std::uint64_t other = 40;
constexpr std::uint64_t depot = 48;
constexpr std::uint64_t size = 56;
constexpr std::uint64_t other_is_full = 88;
constexpr std::uint64_t fast = 96;
constexpr std::uint64_t whole_of_fast = 24;
}  // namespace cache_at

// detail::depot.
namespace depot_at {
constexpr std::uint64_t full = 0;
constexpr std::uint64_t stride = 64;
constexpr std::uint64_t magazine_size = 96;
constexpr std::uint64_t boards = 232;
constexpr std::uint64_t magazine_stride = 456;
constexpr std::uint64_t made = 464;
}  // namespace depot_at

constexpr std::uint64_t stride_of_magazine(std::uint64_t size) {
    return ((magazine_head + size * bytes_of_word + line - 1) / line | 1) * line;
}

}  // namespace

pool_map::pool_map(const memory_image& image, const words_of_program& words) : image_(image) {
    words([this](std::uint64_t address, std::uint64_t word) { look_at(address, word); });
    std::sort(ranges_.begin(), ranges_.end(),
              [](const range& a, const range& b) { return a.begin < b.begin; });
    std::sort(free_.begin(), free_.end());
    for (range& each : ranges_) {
        each.first = blocks_;
        blocks_ += (each.end - each.begin) / each.stride;
    }
}

std::uint64_t pool_map::block(std::uint64_t number) const {
    const auto in =
        std::prev(std::partition_point(ranges_.begin(), ranges_.end(), [number](const range& each) {
            return each.first <= number;
        }));
    return in->begin + (number - in->first) * in->stride;
}

bool pool_map::is_free(std::uint64_t address) const {
    const range* const in = around(address);
    if (in == nullptr) return false;
    const std::uint64_t block = in->block_around(address);
    const std::uint64_t number = (block - in->begin) / in->stride;
    const std::uint64_t marks =
        image_.word_or_zero(in->marks + number / bits_of_word * bytes_of_word);
    return (marks >> number % bits_of_word & 1) != 0 ||
           std::binary_search(free_.begin(), free_.end(), block);
}

void pool_map::look_at(std::uint64_t address, std::uint64_t word) {
    add_chunk(address, word);
    for (const auto& [before, value] : last_)
        if (before + (cache_at::loaded - cache_at::bottom) == address &&
            value == word + magazine_head)
            add_cache(address - cache_at::loaded, value);
    if (address % line == depot_at::boards % line) add_depot(address - depot_at::boards);
    last_[looked_at_++ % last_.size()] = {address, word};
}

/// Adds the blocks of the detail::chunk that has its first block's address here, if there is one.
void pool_map::add_chunk(std::uint64_t begin_at, std::uint64_t begin) {
    constexpr std::uint64_t largest_stride = std::uint64_t{1} << 30;
    const auto word = [&](unsigned index) {
        return image_.word_or_zero(begin_at + index * bytes_of_word);
    };
    const std::uint64_t end = word(1);
    if (end <= begin) return;
    const std::uint64_t stride = word(2);
    if (stride < bytes_of_word || stride > largest_stride || (end - begin) % stride != 0) return;
    const std::uint64_t blocks = (end - begin) / stride;
    // Words 3 to 7 are the stride's inverse, the blocks, the free ones, the first word of the marks
    // that is not 0, and the bytes that have pages. Behind word 8 are the marks.
    if (word(4) != blocks || word(5) > blocks || word(6) > blocks / bits_of_word + 1 ||
        word(7) > end - begin || image_.find(begin) == nullptr)
        return;
    ranges_.push_back({begin, end, stride, begin_at + 9 * bytes_of_word, 0});
}

/// Adds the blocks that a thread's cache has, if this is one. `blocks` is where its magazine in use
/// begins.
void pool_map::add_cache(std::uint64_t cache, std::uint64_t blocks) {
    const auto word = [&](std::uint64_t at) { return image_.word_or_zero(at); };
    const std::uint64_t size = word(cache + cache_at::size);
    const std::uint64_t end = word(cache + cache_at::end);
    if (size == 0 || size > most_in_magazine || (end != 0 && end != blocks + size * bytes_of_word))
        return;
    if (word(word(cache + cache_at::depot) + depot_at::magazine_size) != size) return;
    // Of a common pool's cache, what changes often is elsewhere.
    const std::uint64_t fast = word(cache + cache_at::fast);
    const std::uint64_t loaded = word(fast + cache_at::whole_of_fast) == cache ? fast : cache;
    const std::uint64_t bottom = word(loaded + cache_at::bottom);
    const std::uint64_t top = word(loaded + cache_at::top);
    if (bottom <= top && top <= bottom + size * bytes_of_word)
        add_free(bottom, (top - bottom) / bytes_of_word);
    if (image_.value<std::uint8_t>(cache + cache_at::other_is_full) == 1)
        add_free(word(cache + cache_at::other) + magazine_head, size);
}

/// Adds the blocks in the full magazines of a detail::depot, if this is one.
void pool_map::add_depot(std::uint64_t depot) {
    const auto word = [&](std::uint64_t at) { return image_.word_or_zero(depot + at); };
    const auto number = [&](std::uint64_t at) {
        return std::uint64_t{image_.value<std::uint32_t>(at).value_or(0)};
    };
    const std::uint64_t size = word(depot_at::magazine_size);
    const std::uint64_t stride = word(depot_at::magazine_stride);
    if (size == 0 || size > most_in_magazine || word(depot_at::stride) < bytes_of_word ||
        stride != stride_of_magazine(size))
        return;
    const std::uint64_t made = number(depot + depot_at::made);
    std::uint64_t next = number(depot + depot_at::full);
    for (std::uint64_t i = 0; next != 0 && i != made; ++i) {
        // Each board after the first holds as many magazines as all boards before it.
        const std::uint64_t at = next - 1;
        const auto board = static_cast<std::uint64_t>(std::bit_width(at));
        const std::uint64_t before = board == 0 ? 0 : std::uint64_t{1} << (board - 1);
        const std::uint64_t magazine =
            word(depot_at::boards + board * bytes_of_word) + (at - before) * stride;
        if (number(magazine + own_number) != at) return;
        add_free(magazine + magazine_head, size);
        next = number(magazine);
    }
}

void pool_map::add_free(std::uint64_t from, std::uint64_t number) {
    image_.for_each_word({from, from + number * bytes_of_word},
                         [this](std::uint64_t, std::uint64_t block) { free_.push_back(block); });
}

}  // namespace freehold
