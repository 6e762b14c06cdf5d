// SPDX-License-Identifier: BSL-1.0
// What it is: what the reader of a line_cache holds and passes. `line` is a pinned, shared,
// read-only line; `line_range` is bytes of several adjacent lines; `cached_object` is an object's
// name, looked up once; `object_ref` is the parameter that takes either a name or a cached_object;
// `byte_range` is a part of an object.
// When to use it: hold a line for as long as its bytes are needed. Open a cached_object to read
// many lines of one object.
// When not: do not hold more lines than needed, because they count against the cache's capacity.
// Example: `const freehold::line part = cache.get("table/price", 0, 4096); use(part.bytes());`
//
// Units: bytes; offsets are from the start of the object. A line and a cached_object are one word
// each, a line_range is four.
// Complexity: constant. A copy of a line is one locked instruction. A line_range can be moved, but
// not copied; its release is linear in its lines.
// Thread safety: distinct handles may be used by distinct threads at the same time, even for one
// line. The bytes of a line never change.
// Exceptions: only line::wait throws, what kept the bytes from arriving.
// Ownership: a line and a line_range keep their memory alive, after the eviction of the lines and
// after the cache's destruction. A cached_object may be used only with the cache that made it. An
// object_ref refers to what it was made from.
// Source: the pinned pages of database buffer pools.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/detail/opaque_arc.hpp>
#include <freehold/line/line_cache_statistics.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// Some bytes of an object. They may lie in several lines, and beyond the object's end.
struct byte_range {
    // The offset of the first byte in the object, and the number of bytes.
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

namespace detail {
struct line_access;
}

// One pinned line. An empty line has no bytes, and only bytes(), operator bool and comparison may
// be called on it.
class __attribute__((visibility("default"))) line {
public:
    // An empty line.
    line() noexcept = default;

    // Whether the line is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(held_); }

    // The bytes that have arrived: all bytes of the line, unless the get asked for a part. They
    // start on a page boundary.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
    // The arrived bytes from this offset of the object on.
    [[nodiscard]] std::span<const std::byte> bytes_from(std::uint64_t offset) const noexcept;
    // Returns when the bytes of the object from `offset` to `offset + size` have arrived, as far as
    // they are in this line. Throws what kept them from arriving.
    void wait(std::uint64_t offset, std::uint64_t size) const;

    // The offset of the line's first byte in the object.
    [[nodiscard]] std::uint64_t offset() const noexcept;
    // The object's name, its size in bytes, and its entity tag.
    [[nodiscard]] std::string_view object() const noexcept;
    [[nodiscard]] std::uint64_t object_size() const noexcept;
    [[nodiscard]] std::string_view entity_tag() const noexcept;
    // What the fetch of the line cost; all zero until the line is complete.
    [[nodiscard]] line_cost cost() const noexcept;

    // Whether both hold the same memory, or both are empty. A line that was evicted and fetched
    // again differs from the earlier one.
    [[nodiscard]] friend bool operator==(const line& a, const line& b) noexcept = default;

private:
    friend detail::line_access;
    explicit line(detail::cached_line* owned) noexcept : held_(owned) {}

    detail::opaque_arc<detail::cached_line> held_;
};

// Bytes of an object in one piece of memory, with the lines that they lie in, which are pinned. An
// empty range has no bytes, and only bytes() and operator bool may be called on it.
class __attribute__((visibility("default"))) line_range {
public:
    // An empty range.
    line_range() noexcept = default;
    // Takes the other range's lines. The other range is empty afterwards.
    line_range(line_range&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)),
          lines_(other.lines_),
          bytes_(other.bytes_) {}
    line_range& operator=(line_range&& other) noexcept {
        line_range taken(std::move(other));
        std::swap(first_, taken.first_);
        std::swap(lines_, taken.lines_);
        std::swap(bytes_, taken.bytes_);
        return *this;
    }
    ~line_range() {
        if (first_ != nullptr) unpin();
    }

    // Whether the range is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return first_ != nullptr; }
    // The bytes. All of them have arrived.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return first_ != nullptr ? bytes_ : std::span<const std::byte>();
    }

    // The object's name, its size in bytes, and its entity tag.
    [[nodiscard]] std::string_view object() const noexcept;
    [[nodiscard]] std::uint64_t object_size() const noexcept;
    [[nodiscard]] std::string_view entity_tag() const noexcept;

private:
    friend detail::line_access;
    line_range(detail::cached_line* first, std::size_t lines,
               std::span<const std::byte> bytes) noexcept
        : first_(first), lines_(lines), bytes_(bytes) {}

    void unpin() noexcept;

    detail::cached_line* first_ = nullptr;  // owned, and so are the lines behind it
    std::size_t lines_ = 0;
    std::span<const std::byte> bytes_;
};

// An object that was looked up once, so that a get by it hashes no string.
class __attribute__((visibility("default"))) cached_object {
public:
    // The object's name.
    [[nodiscard]] std::string_view name() const noexcept;

private:
    friend detail::line_access;
    explicit cached_object(detail::object_entry* owned) noexcept : entry_(owned) {}

    detail::opaque_arc<detail::object_entry> entry_;
};

// A parameter type: an object, and how it is read. Do not store it: it refers to its argument.
class object_ref {
public:
    // Refers to an object by its name, or to one that line_cache::open looked up.
    template <std::convertible_to<std::string_view> Name>
    object_ref(const Name& name, access how = access::again) noexcept : name_(name), how_(how) {}
    object_ref(const cached_object& object, access how = access::again) noexcept
        : object_(&object), how_(how) {}

private:
    friend detail::line_access;

    std::string_view name_;  // unless there is a cached_object
    const cached_object* object_ = nullptr;
    access how_;
};

}  // namespace freehold::inline FREEHOLD_ABI
