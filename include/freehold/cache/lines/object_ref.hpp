// SPDX-License-Identifier: BSL-1.0
// How a line_cache is told which object: by its name, or by what open gave for it.
#pragma once

#include <freehold/cache/lines/line.hpp>
#include <freehold/cache/lines/line_table.hpp>
#include <freehold/cache/lines/object_record.hpp>
#include <freehold/handle/arc.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI {

// Refers to what it is made of; a parameter, not to be kept.
class object_ref {
public:
    template <std::convertible_to<std::string_view> Name>
    object_ref(const Name& name) noexcept
        : name_(name), hash_(detail::hash_of_name(name_)), record_(nullptr) {}
    object_ref(const cached_object& object) noexcept
        : object_ref(detail::line_access::record(object)) {}
    explicit object_ref(const arc<detail::object_record>& record) noexcept
        : name_(record->name), hash_(record->hash), record_(&record) {}

    [[nodiscard]] detail::line_key key(std::uint64_t number) const noexcept {
        return detail::line_key(name_, hash_, record_, number);
    }

private:
    std::string_view name_;
    std::uint64_t hash_;
    const arc<detail::object_record>* record_;
};

}  // namespace freehold::inline FREEHOLD_ABI
