// SPDX-License-Identifier: BSL-1.0
// The chunks of a depot in the order of their addresses, so that a block finds its own.
//
// Costs 8 bytes a chunk; finding one, log2 of their number in steps without a branch. Not
// thread-safe: the depot locks, and makes room beforehand, without its lock.
#pragma once

#include <freehold/memory/pool/chunk.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace freehold::detail {

class chunk_index {
public:
    constexpr chunk_index() noexcept = default;

    [[nodiscard]] chunk** begin() const noexcept { return chunks_; }
    [[nodiscard]] chunk** end() const noexcept { return chunks_ + size_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    // The chunk that the place lies in, or nullptr.
    [[nodiscard]] chunk* of(const void* place) const noexcept {
        if (size_ == 0) return nullptr;
        chunk* const* first = chunks_;
        for (std::size_t length = size_; length > 1;) {
            const std::size_t half = length / 2;
            first = std::less<>()(static_cast<const void*>(place), first[half]->begin())
                        ? first
                        : first + half;
            length -= half;
        }
        return (*first)->contains(place) ? *first : nullptr;
    }

    [[nodiscard]] bool has_room() const noexcept { return size_ < room_; }
    [[nodiscard]] std::size_t next_room() const noexcept {
        return std::max<std::size_t>(8, 2 * room_);
    }
    // Takes over an array of `room` places and returns the one that it had, for the caller to free.
    [[nodiscard]] chunk** move_to(chunk** places, std::size_t room) noexcept {
        std::copy(begin(), end(), places);
        room_ = room;
        return std::exchange(chunks_, places);
    }

    void add(chunk* added) noexcept {
        chunk** const place = std::upper_bound(
            begin(), end(), added,
            [](const chunk* a, const chunk* b) { return std::less<>()(a->begin(), b->begin()); });
        std::copy_backward(place, end(), end() + 1);
        *place = added;
        ++size_;
    }
    void remove(const chunk* removed) noexcept {
        chunk** const place = std::find(begin(), end(), removed);
        std::copy(place + 1, end(), place);
        --size_;
    }

private:
    chunk** chunks_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

}  // namespace freehold::detail
