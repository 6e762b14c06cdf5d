// SPDX-License-Identifier: BSL-1.0
#include "line/disk/disk_index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

disk_index::disk_index(std::uint32_t slots, std::uint32_t used) : lines_(slots), order_(slots) {
    for (std::vector<std::uint32_t>* const list : {&free_, &fresh_, &to_erase_}) {
        list->reserve(slots);
    }
    for (std::uint32_t slot = slots; slot != used; --slot) fresh_.push_back(slot - 1);
}

std::uint64_t disk_index::next(std::string_view name, std::string_view tag, std::uint64_t number,
                               std::uint64_t end) const noexcept {
    const disk_object* const object = find(name);
    if (object == nullptr || (!tag.empty() && object->info.entity_tag != tag)) return end;
    std::uint64_t first = end;
    if (end - number > object->slots.size()) {
        for (const auto& [held, slot] : object->slots) {
            if (held >= number) first = std::min(first, held);
        }
        return first;
    }
    while (number != end && !object->slots.contains(number)) ++number;
    return number;
}

const disk_line* disk_index::acquire(std::string_view name, std::string_view tag,
                                     std::uint64_t number) noexcept {
    disk_line* const line = find_line(name, tag, number);
    if (line == nullptr) return nullptr;
    ++line->readers;
    if (line->uses < 3) ++line->uses;
    return line;
}

void disk_index::insert(std::uint32_t slot, const slot_line& what, bool is_old) {
    disk_object* object = find(what.object);
    if (object != nullptr &&
        (object->info.entity_tag != what.entity_tag || object->info.size != what.object_size)) {
        drop(*object);
        object = nullptr;
    }
    if (object == nullptr) {
        auto made = std::make_unique<disk_object>(
            what.object, object_info{what.object_size, std::string(what.entity_tag)});
        made->slots.emplace(what.number, slot);
        object = made.get();
        objects_.emplace(object->name, std::move(made));
    } else {
        const auto [place, is_new] = object->slots.emplace(what.number, slot);
        if (!is_new) {
            leave_slot(lines_[place->second]);
            place->second = slot;
        }
    }
    disk_line& line = lines_[slot];
    line = {object, what.number, object->hash + what.number, what.sequence};
    line.content = what.content;
    if (is_old) {
        order_.restore(line);
    } else {
        order_.insert(line);
    }
    ++count_;
    bytes_ += what.content;
}

std::size_t disk_index::drop(disk_object& object) noexcept {
    const std::size_t dropped = object.slots.size();
    for (const auto& [number, slot] : object.slots) leave_slot(lines_[slot]);
    objects_.erase(objects_.find(object.name));
    return dropped;
}

void disk_index::drop_line(std::uint32_t slot) noexcept {
    disk_line& line = lines_[slot];
    if (line.object == nullptr) return;
    disk_object& object = *line.object;
    object.slots.erase(line.number);
    leave_slot(line);
    if (object.slots.empty()) objects_.erase(objects_.find(object.name));
}

std::optional<disk_index::slot_taken> disk_index::take(bool may_be_fresh) noexcept {
    if (!free_.empty()) return slot_taken{pop(free_), false, false};
    if (may_be_fresh && !fresh_.empty()) return slot_taken{pop(fresh_), true, false};
    std::optional<slot_taken> taken;
    order_.evict_one([&](disk_line& line) {
        if (line.readers != 0) return verdict::pinned;
        if (line.uses != 0) {
            line.uses = line.queue == queue_name::main ? line.uses - 1 : 0;
            return verdict::recently_used;
        }
        taken = slot_taken{slot_of(line), false, true};
        forget(line);
        return verdict::evict;
    });
    return taken;
}

disk_line* disk_index::find_line(std::string_view name, std::string_view tag,
                                 std::uint64_t number) noexcept {
    const disk_object* const object = find(name);
    if (object == nullptr || (!tag.empty() && object->info.entity_tag != tag)) return nullptr;
    const auto found = object->slots.find(number);
    return found != object->slots.end() ? &lines_[found->second] : nullptr;
}

std::uint32_t disk_index::pop(std::vector<std::uint32_t>& list) noexcept {
    const std::uint32_t last = list.back();
    list.pop_back();
    return last;
}

void disk_index::forget(disk_line& line) noexcept {
    disk_object& object = *line.object;
    object.slots.erase(line.number);
    if (object.slots.empty()) objects_.erase(objects_.find(object.name));
    settle(line);
}

void disk_index::settle(disk_line& line) noexcept {
    line.object = nullptr;
    --count_;
    bytes_ -= line.content;
}

void disk_index::leave_slot(disk_line& line) noexcept {
    order_.remove(line);
    settle(line);
    if (line.readers == 0) to_erase_.push_back(slot_of(line));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
