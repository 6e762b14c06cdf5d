// SPDX-License-Identifier: BSL-1.0
// What a line_cache knows of one object, and the table of all that it knows something of.
//
// Guarded by the cache's mutex, but for what never changes. A record stays as long as a line, a
// fetch or a cached_object has it; the table forgets the others when it has doubled.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/handle/arc.hpp>

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

// What lines are told of their object. From the heap: there are fewer than lines, and a common pool
// would fault in pages of its own for them.
using told_info = arc<const object_info, atomic_count, std::allocator<object_info>>;
[[nodiscard]] inline told_info tell(const object_info& info) {
    return allocate_arc<object_info>(std::allocator<object_info>(), info);
}

struct object_record {
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    explicit object_record(std::string_view named) : name(named), hash(hash_of_name(named)) {}

    const std::string name;
    const std::uint64_t hash;
    // Of the present version: all its lines have one size and one entity tag.
    std::uint64_t version = 0;
    std::size_t lines = 0;  // of the present version, which all are that can be found
    std::uint64_t size = unknown;
    std::string entity_tag;  // empty: not known, or the source knows none
    told_info told;          // by the source

    // For all lines that go on with the same; nullptr if those of the present version may not go on
    // with this. If they know more now, so does the record.
    [[nodiscard]] told_info agreed(const object_info& info) {
        if (!entity_tag.empty() && entity_tag != info.entity_tag) return nullptr;
        if (size != unknown && size != info.size) return nullptr;
        if (told == nullptr || told->entity_tag != info.entity_tag) {
            told = tell(info);
        }
        if (entity_tag.empty()) entity_tag = info.entity_tag;
        size = info.size;
        return told;
    }
    [[nodiscard]] static source_error past_the_end(const std::string& name, std::uint64_t size,
                                                   std::uint64_t offset) {
        return source_error(source_failure::past_the_end,
                            "object '" + name + "', offset " + std::to_string(offset) +
                                ": the object has only " + std::to_string(size) + " bytes");
    }
    void begin_version(std::string its_tag) noexcept {
        entity_tag = std::move(its_tag);
        size = unknown;
        told.reset();
        ++version;
    }
    // With its last line goes what the source said of the object. As long as it has said nothing,
    // the tag is the user's, and stays.
    void lose_line() noexcept {
        if (--lines == 0) begin_version(size == unknown ? std::move(entity_tag) : std::string());
    }
};

class object_table {
public:
    [[nodiscard]] arc<object_record> intern(std::string_view name) {
        const auto found = records_.find(name);
        if (found != records_.end()) return found->second;
        if (records_.size() >= forget_at_) forget_unused();
        arc<object_record> made = make_arc<object_record>(name);
        records_.emplace(made->name, made);
        return made;
    }
    [[nodiscard]] arc<object_record> find(std::string_view name) const {
        const auto found = records_.find(name);
        return found != records_.end() ? found->second : nullptr;
    }

private:
    void forget_unused() {
        for (auto it = records_.begin(); it != records_.end();) {
            it = it->second.unique() ? records_.erase(it) : std::next(it);
        }
        forget_at_ = std::max<std::size_t>(least, 2 * records_.size());
    }

    static constexpr std::size_t least = 64;
    std::size_t forget_at_ = least;
    // The keys are the records' own names.
    std::unordered_map<std::string_view, arc<object_record>> records_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
