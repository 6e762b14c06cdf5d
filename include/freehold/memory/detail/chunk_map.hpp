// SPDX-License-Identifier: BSL-1.0
// Finds the chunk of a depot that contains an address.
// It is a hash table. Each 32 KiB of address space in which a chunk has memory has an entry that
// points to the chunk. If two chunks share such a piece, both have an entry. It takes 32 to 64
// bytes for each 32 KiB. A search nearly always inspects one entry.
// Not thread-safe: the depot locks, and makes room beforehand, without its lock.
#pragma once

#include <freehold/memory/detail/chunk.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class chunk_map {
public:
    // Bytes. Chunks that begin at multiples of it share no entry. Chunks at multiples of more would
    // leave gaps in the heap, and glibc would map one on its own, beside pages that the heap has
    // free.
    static constexpr std::size_t granule_size = std::size_t{32} << 10;

    constexpr chunk_map() noexcept = default;

    // Returns nullptr if no chunk contains the address.
    [[nodiscard]] chunk* of(const void* place) const noexcept {
        if (room_ == 0) return nullptr;
        const std::uintptr_t granule = granule_of(place);
        for (std::size_t i = start_of(granule);; i = after(i)) {
            const entry& here = entries_[i];
            if (here.owner == nullptr) return nullptr;
            if (here.granule == granule && here.owner->contains(place)) return here.owner;
        }
    }

    // The number of entries that makes room for a further chunk of `size` bytes, or 0 if there is
    // room already.
    [[nodiscard]] std::size_t room_wanted_for(std::size_t size) const noexcept {
        const std::size_t wanted = 2 * (used_ + size / granule_size + 2);
        return wanted <= room_ ? 0 : std::bit_ceil(wanted);
    }
    [[nodiscard]] static std::size_t memory_for(std::size_t room) noexcept {
        return room * sizeof(entry);
    }
    // Takes over memory for the number of entries that room_wanted_for returned. Returns the old
    // memory, which the caller frees.
    [[nodiscard]] void* move_to(void* memory, std::size_t room) noexcept {
        entry* const old = std::exchange(entries_, static_cast<entry*>(memory));
        const std::size_t old_room = std::exchange(room_, room);
        shift_ = 64 - std::countr_zero(room);
        std::uninitialized_fill_n(entries_, room_, entry{});
        for (std::size_t i = 0; i < old_room; ++i) {
            if (old[i].owner != nullptr) insert(old[i]);
        }
        return old;
    }
    [[nodiscard]] void* memory() const noexcept { return entries_; }

    void add(chunk* added) noexcept {
        for_each_granule(*added, [&](std::uintptr_t granule) {
            insert({granule, added});
            ++used_;
        });
    }
    void remove(const chunk* removed) noexcept {
        for_each_granule(*removed, [&](std::uintptr_t granule) {
            std::size_t i = start_of(granule);
            while (entries_[i].owner != removed || entries_[i].granule != granule) i = after(i);
            erase(i);
            --used_;
        });
    }

    template <class Visitor>
    void for_each_chunk(Visitor visit) const {
        for (std::size_t i = 0; i < room_; ++i) {
            chunk* const owner = entries_[i].owner;
            if (owner != nullptr && entries_[i].granule == granule_of(owner->begin())) {
                visit(*owner);
            }
        }
    }

private:
    struct entry {
        std::uintptr_t granule = 0;
        chunk* owner = nullptr;  // nullptr: unused
    };

    [[nodiscard]] static std::uintptr_t granule_of(const void* place) noexcept {
        return reinterpret_cast<std::uintptr_t>(place) / granule_size;
    }
    template <class Visitor>
    static void for_each_granule(const chunk& owner, Visitor visit) {
        const std::uintptr_t last = granule_of(owner.end() - 1);
        for (std::uintptr_t each = granule_of(owner.begin()); each <= last; ++each) visit(each);
    }

    // Fibonacci hashing: the upper bits spread neighbours evenly, and the granules of one chunk do
    // not collide.
    [[nodiscard]] std::size_t start_of(std::uintptr_t granule) const noexcept {
        const std::uint64_t product = granule * 0x9E37'79B9'7F4A'7C15U;
        return static_cast<std::size_t>(product >> shift_);
    }
    [[nodiscard]] std::size_t after(std::size_t i) const noexcept { return (i + 1) & (room_ - 1); }

    void insert(const entry& added) noexcept {
        std::size_t i = start_of(added.granule);
        while (entries_[i].owner != nullptr) i = after(i);
        entries_[i] = added;
    }
    // Moves later entries into the gap if a search could not find them past it.
    void erase(std::size_t gap) noexcept {
        for (std::size_t i = after(gap); entries_[i].owner != nullptr; i = after(i)) {
            const std::size_t from_start = (i - start_of(entries_[i].granule)) & (room_ - 1);
            const std::size_t from_gap = (i - gap) & (room_ - 1);
            if (from_start >= from_gap) {
                entries_[gap] = entries_[i];
                gap = i;
            }
        }
        entries_[gap] = entry{};
    }

    // The number of entries is a power of two. At most half of them are used.
    entry* entries_ = nullptr;
    std::size_t room_ = 0;
    int shift_ = 0;  // 64 - log2(room_)
    std::size_t used_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
