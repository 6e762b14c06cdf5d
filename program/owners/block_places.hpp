// SPDX-License-Identifier: BSL-1.0
// Where blocks may begin that no word tells, and which kinds of blocks each of these places may be.
// There may be many millions of places, so that each takes few bytes. Places are the chunks of the
// heap by their numbers, and behind them the blocks of pools.
#pragma once

#include "owners/heap_map.hpp"
#include "owners/memory_image.hpp"
#include "owners/owners_error.hpp"
#include "owners/pool_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace freehold {

class block_places {
public:
    /// Both arguments must outlive this object.
    block_places(const heap_map& chunks, const pool_map& pools) : chunks_(chunks), pools_(pools) {
        if (chunks.size() + pools.blocks() >= no_number)
            throw owners_error("the program's pools have more than 4 billion blocks, too many");
        size_ = chunks.size() + static_cast<std::uint32_t>(pools.blocks());
    }

    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// Returns the place that begins at an address, or no_number.
    [[nodiscard]] std::uint32_t from(std::uint64_t address) const {
        if (const pool_map::range* const pool = pools_.around(address))
            return pool->block_around(address) == address ? in_pool(*pool, address) : no_number;
        return chunks_.number_from(address);
    }
    struct found {
        std::uint32_t number = no_number;
        std::uint64_t begin = 0;
    };
    /// Returns the place around an address.
    [[nodiscard]] found around(std::uint64_t address) const {
        if (const pool_map::range* const pool = pools_.around(address))
            return {in_pool(*pool, address), pool->block_around(address)};
        const heap_chunk chunk = chunks_.around(address);
        return {chunk.number, chunk.begin};
    }
    /// Returns where a place begins.
    [[nodiscard]] std::uint64_t operator[](std::uint32_t place) const {
        return place < chunks_.size() ? chunks_[place].begin : pools_.block(place - chunks_.size());
    }
    /// Calls `use(place, begin)` for each place, by its number.
    template <class Use>
    void for_each(Use use) const {
        chunks_.for_each([&use](const heap_chunk& each) { use(each.number, each.begin); });
        std::uint32_t number = chunks_.size();
        for (const pool_map::range& each : pools_.ranges())
            for (std::uint64_t at = each.begin; at != each.end; at += each.stride)
                use(number++, at);
    }

private:
    [[nodiscard]] std::uint32_t in_pool(const pool_map::range& pool, std::uint64_t address) const {
        return chunks_.size() +
               static_cast<std::uint32_t>(pool.first + (address - pool.begin) / pool.stride);
    }

    const heap_map& chunks_;
    const pool_map& pools_;
    std::uint32_t size_ = 0;
};

/// Sets of kinds, of which few are different: the number of its set for each place, in a byte.
class kinds_of_places {
public:
    using kinds = std::vector<std::uint32_t>;

    explicit kinds_of_places(std::size_t places) : codes_(places) { number_of({}); }

    /// Whether a place has any kind.
    [[nodiscard]] bool has(std::uint32_t place) const { return codes_[place] != 0; }
    [[nodiscard]] const kinds& operator[](std::uint32_t place) const {
        const std::uint8_t code = codes_[place];
        return *sets_[code == is_elsewhere ? elsewhere_.at(place) : code];
    }
    void set(std::uint32_t place, const kinds& of) {
        const std::uint32_t number = number_of(of);
        codes_[place] = static_cast<std::uint8_t>(std::min(number, is_elsewhere));
        if (number >= is_elsewhere) elsewhere_[place] = number;
    }
    /// Takes out the kinds for which `is_left_out(kind)` holds. Returns whether there are such.
    template <class Is>
    bool leave_out(std::uint32_t place, Is is_left_out) {
        const kinds& before = (*this)[place];
        if (std::none_of(before.begin(), before.end(), is_left_out)) return false;
        kinds left = before;
        std::erase_if(left, is_left_out);
        set(place, left);
        return true;
    }
    /// Returns the number of kinds in the largest set.
    [[nodiscard]] std::size_t most() const {
        std::size_t result = 0;
        for (const kinds* const each : sets_) result = std::max(result, each->size());
        return result;
    }

private:
    static constexpr std::uint32_t is_elsewhere = UINT8_MAX;

    std::uint32_t number_of(const kinds& of) {
        const auto [found, is_new] = numbers_.emplace(of, static_cast<std::uint32_t>(sets_.size()));
        if (is_new) sets_.push_back(&found->first);
        return found->second;
    }

    sparse_array<std::uint8_t> codes_;
    std::unordered_map<std::uint32_t, std::uint32_t> elsewhere_;
    std::map<kinds, std::uint32_t> numbers_;
    std::vector<const kinds*> sets_;  // the first one is empty
};

}  // namespace freehold
