// SPDX-License-Identifier: BSL-1.0
// What readers hold of a line, and of an object: one word each.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/lines/cached_line.hpp>
#include <freehold/cache/lines/line_geometry.hpp>
#include <freehold/cache/lines/line_waiter.hpp>
#include <freehold/cache/lines/object_record.hpp>
#include <freehold/handle/arc.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
struct line_access;
}

// A line that stays where it is, and as it is, as long as somebody holds it: after its eviction,
// after the cache's end, on any thread. A copy is a locked add, no more. An empty one has no bytes;
// the other functions are not for it. Distinct lines may be used by several threads at once.
class line {
public:
    line() noexcept = default;

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(held_); }

    // What has arrived by now: the whole line, if it was asked for. The bytes begin on a page.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return held_ ? held_->bytes() : std::span<const std::byte>();
    }
    // What of it stands from this offset of the object on.
    [[nodiscard]] std::span<const std::byte> bytes_from(std::uint64_t offset) const noexcept {
        const std::span<const std::byte> all = bytes();
        const std::uint64_t skipped = offset - this->offset();
        return skipped < all.size() ? all.subspan(static_cast<std::size_t>(skipped))
                                    : std::span<const std::byte>();
    }
    // Returns when the bytes of the object from `offset` to `offset + size` are there, as far as
    // they are in this line. Throws what kept them from arriving.
    void wait(std::uint64_t offset, std::uint64_t size) const {
        held_->wait_for(detail::line_geometry::end_from(held_->offset(), offset, size));
    }

    // Of the line's first byte in the object.
    [[nodiscard]] std::uint64_t offset() const noexcept { return held_->offset(); }
    [[nodiscard]] std::string_view object() const noexcept { return held_->object->name; }
    [[nodiscard]] std::uint64_t object_size() const noexcept { return held_->object_size(); }
    [[nodiscard]] std::string_view entity_tag() const noexcept { return held_->entity_tag(); }
    // All zero until the line is complete.
    [[nodiscard]] line_cost cost() const noexcept {
        return held_->is_complete() ? held_->cost() : line_cost();
    }

    [[nodiscard]] friend bool operator==(const line& a, const line& b) noexcept = default;

private:
    friend detail::line_access;
    explicit line(arc<detail::cached_line> held) noexcept : held_(std::move(held)) {}

    arc<detail::cached_line> held_;
};

// An object's name, looked up once: a get by it hashes no string. For the cache that gave it.
class cached_object {
public:
    [[nodiscard]] std::string_view name() const noexcept { return record_->name; }

private:
    friend detail::line_access;
    explicit cached_object(arc<detail::object_record> record) noexcept
        : record_(std::move(record)) {}

    arc<detail::object_record> record_;
};

namespace detail {

struct line_access {
    [[nodiscard]] static line make(arc<cached_line> held) noexcept { return line(std::move(held)); }
    [[nodiscard]] static cached_object make(arc<object_record> record) noexcept {
        return cached_object(std::move(record));
    }
    [[nodiscard]] static const arc<object_record>& record(const cached_object& object) noexcept {
        return object.record_;
    }
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
