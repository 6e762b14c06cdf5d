// SPDX-License-Identifier: BSL-1.0
// Which lines are in which slots, and which line is evicted: S3-FIFO, as in a line_cache, but one
// use is enough for the main queue, because the cache in front absorbs uses in quick succession.
// After a restart, the newest tenth of the lines begins in the small queue, and the rest in the
// main queue. Not thread-safe.
//
// All lines of an object have the same entity tag. A slot is free, in the index, or to be erased:
// its line must not be found after a restart. A line that is being read keeps its slot.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include "line/disk/slot_header.hpp"
#include "line/eviction_order.hpp"
#include "line/object_table.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

struct disk_object;

// The line in one slot.
struct disk_line {
    disk_object* object = nullptr;  // nullptr: the slot holds none, or one that is not found
    std::uint64_t number = 0;
    std::uint64_t hash = 0;
    std::uint64_t sequence = 0;
    disk_line* older = nullptr;
    disk_line* newer = nullptr;
    std::uint32_t content = 0;
    std::uint32_t readers = 0;
    std::uint8_t uses = 0;
    queue_name queue = queue_name::small;
};

struct disk_object {
    using clock = std::chrono::steady_clock;

    disk_object(std::string_view named, const object_info& described)
        : name(named), hash(hash_of_name(named)), info(described) {}

    const std::string name;
    const std::uint64_t hash;
    const object_info info;
    std::optional<clock::time_point> confirmed;              // when the source told the tag
    std::unordered_map<std::uint64_t, std::uint32_t> slots;  // by the line's number
};

class disk_index {
public:
    // The first `used` slots have been written to.
    disk_index(std::uint32_t slots, std::uint32_t used);

    [[nodiscard]] disk_object* find(std::string_view name) const noexcept {
        const auto found = objects_.find(name);
        return found != objects_.end() ? found->second.get() : nullptr;
    }
    // Whether the line is on the disk. An empty tag stands for any.
    [[nodiscard]] bool holds(std::string_view name, std::string_view tag,
                             std::uint64_t number) noexcept {
        return find_line(name, tag, number) != nullptr;
    }
    // The first line from `number` on, before `end`, that is on the disk; `end` if there is none.
    [[nodiscard]] std::uint64_t next(std::string_view name, std::string_view tag,
                                     std::uint64_t number, std::uint64_t end) const noexcept;

    // Counts a use, and keeps the slot until release(). Returns nullptr if there is no such line.
    [[nodiscard]] const disk_line* acquire(std::string_view name, std::string_view tag,
                                           std::uint64_t number) noexcept;
    void release(std::uint32_t slot) noexcept {
        disk_line& line = lines_[slot];
        if (--line.readers == 0 && line.object == nullptr) to_erase_.push_back(slot);
    }
    [[nodiscard]] std::uint32_t slot_of(const disk_line& line) const noexcept {
        return static_cast<std::uint32_t>(&line - lines_.data());
    }

    // Inserts a line in a slot that the caller took. It replaces older lines with the same number
    // or with other tags. An old line begins in the main queue. Throws std::bad_alloc; then the
    // caller still has the slot.
    void insert(std::uint32_t slot, const slot_line& what, bool is_old);

    // Drops all lines of the object. Returns their number.
    std::size_t drop(disk_object& object) noexcept;
    // Drops the line, if the slot still holds it. The caller has acquired it.
    void drop_line(std::uint32_t slot) noexcept;

    struct slot_taken {
        std::uint32_t slot = 0;
        bool is_fresh = false;  // writing it may take more of the disk
        bool was_evicted = false;
    };
    // Returns nothing if all slots are being read.
    [[nodiscard]] std::optional<slot_taken> take(bool may_be_fresh) noexcept;
    // A slot without a line that can be found after a restart.
    void give_back(const slot_taken& taken) noexcept {
        (taken.is_fresh ? fresh_ : free_).push_back(taken.slot);
    }
    // The same, but with such a line.
    void give_back_to_erase(std::uint32_t slot) noexcept { to_erase_.push_back(slot); }
    [[nodiscard]] std::optional<std::uint32_t> take_to_erase() noexcept {
        if (to_erase_.empty()) return {};
        return pop(to_erase_);
    }
    [[nodiscard]] bool has_to_erase() const noexcept { return !to_erase_.empty(); }

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    [[nodiscard]] disk_line* find_line(std::string_view name, std::string_view tag,
                                       std::uint64_t number) noexcept;
    static std::uint32_t pop(std::vector<std::uint32_t>& list) noexcept;
    // The line has left the queues.
    void forget(disk_line& line) noexcept;
    void settle(disk_line& line) noexcept;
    void leave_slot(disk_line& line) noexcept;

    std::vector<disk_line> lines_;  // by slot; never resized
    eviction_order<disk_line> order_;
    std::unordered_map<std::string_view, std::unique_ptr<disk_object>> objects_;
    std::vector<std::uint32_t> free_;   // have been written to
    std::vector<std::uint32_t> fresh_;  // have not
    std::vector<std::uint32_t> to_erase_;
    std::size_t count_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
