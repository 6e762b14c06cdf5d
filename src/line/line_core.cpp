// SPDX-License-Identifier: BSL-1.0
// What is known of objects and of their versions, and what drops the lines of one.
#include "line/line_core.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

namespace {

// Throws std::invalid_argument if the options make no sense.
const line_cache_options& validated(const line_cache_options& options) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("line_cache '" + options.name + "': " + why);
    };
    if (options.line_size == 0 || options.line_size % 4096 != 0) {
        refuse("line_size is " + std::to_string(options.line_size) +
               "; it must be a multiple of 4096");
    }
    if (options.capacity < options.line_size) {
        refuse("capacity is " + std::to_string(options.capacity) +
               " bytes; it must be at least one line, " + std::to_string(options.line_size));
    }
    if (options.reserve > options.capacity) {
        refuse("reserve is " + std::to_string(options.reserve) +
               " bytes; it must be at most the capacity, " + std::to_string(options.capacity));
    }
    if (options.coalesce == 0) refuse("coalesce is 0; a request asks for at least one line");
    return options;
}

}  // namespace

template <class Chosen, class First>
void line_core::drop_lines(Chosen chosen, First first, bool unused_only) noexcept {
    line_ptr dropped;
    {
        const std::lock_guard lock(mutex_);
        first();
        order_.for_each([&](cached_line& line) {
            line_table::bucket& bucket = table_.of(line.hash);
            const std::lock_guard bucket_lock(bucket.lock);
            if (!chosen(line) || (unused_only && !bucket.owner_of(line)->unique())) return;
            order_.remove(line);
            line_ptr taken = unlink(bucket, line);
            taken->next = std::move(dropped);
            dropped = std::move(taken);
        });
    }
    // One at a time, because each line owns the next.
    while (dropped) dropped = line_ptr(std::move(dropped->next));
}

line_core::line_core(const line_cache_options& options)
    : options_(validated(options)),
      geometry_(options.line_size),
      store_(make_arc<line_store>(options_)),
      table_(options.capacity / options.line_size, options.line_size),
      order_(options.capacity / options.line_size) {
    store_->reserve(options_.reserve);
}

shared_object_info line_core::accept_info(const cached_line& line, const object_info& info) {
    const std::lock_guard lock(mutex_);
    if (line.version == line.object->version) return line.object->accept(info);
    return share_info(info);
}

object_info line_core::info_of(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const arc<object_entry> object = objects_.find(name);
    // Without lines, the object may have been replaced since it was described.
    if (object == nullptr || object->lines == 0 || object->size == object_entry::unknown) {
        return {0, {}};
    }
    return {object->size, object->entity_tag};
}

std::uint64_t line_core::lines_ahead(const object_entry& object, std::uint64_t first,
                                     std::uint64_t count) {
    if (count == 0) return 0;
    const std::lock_guard lock(mutex_);
    if (object.size == object_entry::unknown) return 0;
    const std::uint64_t lines = geometry_.lines_of(object.size);
    return first < lines ? std::min(count, lines - first) : 0;
}

arc<object_entry> line_core::open(std::string_view name, const object_info& now) {
    std::string tag = now.entity_tag;
    const std::lock_guard lock(mutex_);
    arc<object_entry> object = objects_.intern(name);
    if (object->lines == 0) object->expect(std::move(tag), now.size);
    return object;
}

void line_core::invalidate(const cached_line& line) noexcept {
    const object_entry& object = *line.object;
    const std::uint64_t version = line.version;
    drop_lines(
        [&](const cached_line& each) {
            return each.object.get() == &object && each.version == version;
        },
        [&] {
            if (line.object->version == version) line.object->begin_version({});
        });
}

void line_core::invalidate(std::string_view name, std::string_view entity_tag) {
    std::string tag(entity_tag);
    arc<object_entry> object;
    {
        const std::lock_guard lock(mutex_);
        object = entity_tag.empty() ? objects_.find(name) : objects_.intern(name);
        if (object == nullptr) return;
        // Without a look at all lines, because callers confirm the tag at each opening.
        if (!entity_tag.empty() && object->entity_tag == entity_tag) return;
    }
    bool is_same = false;
    drop_lines([&](const cached_line& each) { return !is_same && each.object == object; },
               [&] {
                   is_same = !entity_tag.empty() && object->entity_tag == entity_tag;
                   if (!is_same) object->begin_version(std::move(tag));
               });
}

line_cache_statistics line_core::statistics() {
    line_cache_statistics all;
    table_.for_each_bucket([&](const line_table::bucket& bucket) {
        all.hits += bucket.hits;
        all.joined += bucket.joined;
    });
    counters().read_into(all);
    all.waits = waits_.read();
    const line_store_figures memory = store_->figures();
    all.bytes_held = memory.held * memory.line_size;
    all.most_bytes_held = memory.most_held * memory.line_size;
    all.bytes_in_lines = memory.taken * memory.line_size;
    const std::lock_guard lock(mutex_);
    all.lines = order_.size();
    return all;
}

line_core::~line_core() {
    drop_lines([](const cached_line&) { return true; }, [] {});
}

std::size_t line_core::trim() noexcept {
    drop_lines([](const cached_line&) { return true; }, [] {}, true);
    return store_->trim();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
