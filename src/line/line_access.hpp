// SPDX-License-Identifier: BSL-1.0
// Makes the public handles of lines and objects, and looks into them.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/line.hpp>

#include "line/cached_line.hpp"
#include "line/line_table.hpp"
#include "line/object_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_access {
    [[nodiscard]] static line make(arc<cached_line> held) noexcept {
        return line(arc_access::disown(held));
    }
    // Takes the owners of this line and of those behind it.
    [[nodiscard]] static line_range make(cached_line* first, std::size_t lines,
                                         std::span<const std::byte> bytes) noexcept {
        return line_range(first, lines, bytes);
    }
    [[nodiscard]] static cached_object make(arc<object_entry> entry) noexcept {
        return cached_object(arc_access::disown(entry));
    }
    [[nodiscard]] static line_key key(const object_ref& object, std::uint64_t number) noexcept {
        object_entry* const known =
            object.object_ != nullptr ? object.object_->entry_.get() : nullptr;
        const std::string_view name = known != nullptr ? known->name : object.name_;
        return {name, known != nullptr ? known->hash : hash_of_name(name), known, object.how_,
                number};
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
