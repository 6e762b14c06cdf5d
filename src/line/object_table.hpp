// SPDX-License-Identifier: BSL-1.0
// What a line_cache knows of its objects, by name. Guarded by the cache's mutex, except for
// constant members.
//
// An entry stays as long as a line, a fetch or a cached_object refers to it. The table removes
// unused entries each time that it has doubled.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

inline std::uint64_t hash_of_name(std::string_view name) noexcept {
    return std::hash<std::string_view>()(name);
}

// The information that all lines of a version share. It comes from the heap, because a common pool
// would fault in pages for the few that there are.
using shared_object_info = arc<const object_info, atomic_count, std::allocator<object_info>>;
[[nodiscard]] inline shared_object_info share_info(const object_info& info) {
    return allocate_arc<object_info>(std::allocator<object_info>(), info);
}

struct object_entry {
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    explicit object_entry(std::string_view named) : name(named), hash(hash_of_name(named)) {}

    const std::string name;
    const std::uint64_t hash;
    // Of the current version. All its lines have the same size and entity tag.
    std::uint64_t version = 0;
    std::size_t lines = 0;  // of the current version; older lines cannot be found
    std::uint64_t size = unknown;
    std::string entity_tag;          // empty: unknown, or the source has none
    shared_object_info shared_info;  // what the source reported

    // Returns the shared information for lines of the current version, and remembers what is new in
    // `info`. Returns nullptr if `info` contradicts what is known.
    [[nodiscard]] shared_object_info accept(const object_info& info) {
        if (!entity_tag.empty() && entity_tag != info.entity_tag) return nullptr;
        if (size != unknown && size != info.size) return nullptr;
        if (shared_info == nullptr || shared_info->entity_tag != info.entity_tag) {
            shared_info = share_info(info);
        }
        if (entity_tag.empty()) entity_tag = info.entity_tag;
        size = info.size;
        return shared_info;
    }
    [[nodiscard]] static source_error past_the_end(const std::string& name, std::uint64_t size,
                                                   std::uint64_t offset) {
        return source_error(source_failure::past_the_end,
                            "object '" + name + "', offset " + std::to_string(offset) +
                                ": the object has only " + std::to_string(size) + " bytes");
    }
    // The next lines are of this version. Requires that there are none.
    void expect(std::string its_tag, std::uint64_t its_size) noexcept {
        if (entity_tag != its_tag || size != its_size) begin_version(std::move(its_tag));
        size = its_size;
    }
    void begin_version(std::string its_tag) noexcept {
        entity_tag = std::move(its_tag);
        size = unknown;
        shared_info.reset();
        ++version;
    }
    // When the last line goes, what the source reported is forgotten. Before any report, what is
    // known came from the user, and stays.
    void remove_line() noexcept {
        if (--lines != 0) return;
        if (shared_info != nullptr) return begin_version({});
        ++version;
    }
};

// One more owner of an object that others own: by an arc, or by an opaque_arc of a public header.
template <class T>
[[nodiscard]] arc<T> owner_of(T* object) noexcept {
    arc<T> borrowed = arc_access::own<T, atomic_count, default_allocator>(object);
    arc<T> made = borrowed;
    static_cast<void>(arc_access::disown(borrowed));
    return made;
}

class object_table {
public:
    [[nodiscard]] arc<object_entry> intern(std::string_view name) {
        const auto found = entries_.find(name);
        if (found != entries_.end()) return found->second;
        if (entries_.size() >= forget_at_) forget_unused();
        arc<object_entry> made = make_arc<object_entry>(name);
        entries_.emplace(made->name, made);
        return made;
    }
    [[nodiscard]] arc<object_entry> find(std::string_view name) const {
        const auto found = entries_.find(name);
        return found != entries_.end() ? found->second : nullptr;
    }

private:
    void forget_unused() {
        for (auto it = entries_.begin(); it != entries_.end();) {
            it = it->second.unique() ? entries_.erase(it) : std::next(it);
        }
        forget_at_ = std::max<std::size_t>(least, 2 * entries_.size());
    }

    static constexpr std::size_t least = 64;
    std::size_t forget_at_ = least;
    // Each key is a view of its entry's name.
    std::unordered_map<std::string_view, arc<object_entry>> entries_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
