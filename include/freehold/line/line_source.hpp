// SPDX-License-Identifier: BSL-1.0
// What it is: the concept of a source of objects for a line_cache, the request that the cache gives
// to it, and the errors that it reports.
// When to use it: to write a source of your own.
// When not: if one of Freehold's is enough: file_source, s3_source and arrow_source; disk_tier and
// limited_source, which stand in front of another.
// Example: file_source.hpp is a complete source.
//
// A line_read is one request for consecutive bytes of one object. The source writes the bytes into
// room(), so the cache copies nothing. The source calls the functions of one line_read from one
// thread at a time. It must not hold a lock during these calls: they run readers' callbacks, which
// may miss, and then call the source's start or describe.
//
// | call | when | effect |
// |---|---|---|
// | begin | once, when the object is found | the bytes follow |
// | room, arrived | in turn, after begin | some bytes have been written |
// | wanted | at any time before the end | false: fail with source_failure::cancelled soon |
// | finish | once, after all bytes | ends the request |
// | fail | once instead of finish, even before begin | ends the request |
//
// An object of size 0 has one line of no bytes: a read of it begins, and finishes at once.
//
// The cache owns the line_read. It is valid until finish or fail, and not afterwards. A source that
// retries continues after the last byte that arrived.
//
// Units: bytes; offsets are from the start of the object.
// Complexity: the calls of a line_read are constant, except that arrived, finish and fail run the
// callbacks of waiting readers.
// Thread safety: several threads may call a source at once.
// Exceptions: a source's fetch and start report failures by line_read::fail. Before begin and fail
// they may throw instead; the cache then calls fail. describe throws source_error.
// Ownership: the cache owns the line_read.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/compiled.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// What a source knows of an object.
struct object_info {
    std::uint64_t size = 0;  // bytes
    std::string entity_tag;  // changes with the object's content; empty if the source knows none
};

// Why a read failed.
enum class source_failure {
    not_found,       // no such object
    refused,         // the credentials or permissions do not allow it
    changed,         // the object's entity tag is not the expected one
    past_the_end,    // the object ends before the first requested byte
    wrong_length,    // fewer or more bytes came than requested, after every attempt
    unreachable,     // no connection, or a broken one, after every attempt
    timed_out,       // no answer within the set time
    answered_error,  // the server answered with an error, after every attempt
    cancelled        // the reader no longer wants the bytes
};

// what() names the object, the range, and the answer of the server or system.
class __attribute__((visibility("default"))) source_error : public std::runtime_error {
public:
    // `message` is what what() returns.
    source_error(source_failure reason, const std::string& message);
    ~source_error() override;

    // Why the read failed.
    [[nodiscard]] source_failure reason() const noexcept { return reason_; }

private:
    source_failure reason_;
};

// One read that a source performs: what is wanted, where the bytes go, and how it ended.
class __attribute__((visibility("default"))) line_read {
public:
    line_read(const line_read&) = delete;
    line_read& operator=(const line_read&) = delete;

    // The object's name, and the offset of the first wanted byte.
    [[nodiscard]] std::string_view object() const noexcept { return object_; }
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    // The largest number of bytes wanted. An object that ends earlier has fewer; that is no
    // failure.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    // If not empty, the object must have this entity tag; otherwise the read fails with
    // source_failure::changed.
    [[nodiscard]] std::string_view entity_tag() const noexcept { return entity_tag_; }

    // Tells that the object was found. Returns false if its bytes are no longer wanted.
    virtual bool begin(const object_info& object) noexcept = 0;
    // Where the next bytes go. Empty before begin, and when all bytes of this read have arrived.
    virtual std::span<std::byte> room() noexcept = 0;
    // Whether room() is memory that was used before: it is faulted in, and in no processor's cache.
    [[nodiscard]] virtual bool room_is_recycled() const noexcept { return false; }
    // Tells that this many bytes have been written to the start of room(). Returns false if the
    // rest is no longer wanted.
    virtual bool arrived(std::size_t bytes) noexcept = 0;
    // Whether any reader still wants the bytes.
    [[nodiscard]] virtual bool wanted() const noexcept = 0;

    // The source calls exactly one of these, as the last call. fail tells why the read failed.
    virtual void finish() noexcept = 0;
    virtual void fail(std::exception_ptr why) noexcept = 0;

protected:
    // The name, the range and the expected entity tag; see the functions that return them.
    line_read(std::string object, std::uint64_t offset, std::uint64_t size, std::string entity_tag);
    ~line_read();

private:
    std::string object_;
    std::uint64_t offset_;
    std::uint64_t size_;
    std::string entity_tag_;
};

// fetch may use the calling thread until the read ends. start returns at once, and the read ends on
// another thread. describe returns an object's size and entity tag.
template <class Source>
concept line_source = requires(Source& source, line_read& read, std::string_view object) {
                          { source.fetch(read) } -> std::same_as<void>;
                          { source.start(read) } -> std::same_as<void>;
                          { source.describe(object) } -> std::same_as<object_info>;
                      };

// The same as an abstract class, behind which the compiled code calls a source of any type. It
// models line_source, too: a line_cache<any_line_source> is over whichever source it is given.
class __attribute__((visibility("default"))) any_line_source {
public:
    any_line_source(const any_line_source&) = delete;
    any_line_source& operator=(const any_line_source&) = delete;
    virtual ~any_line_source();

    // As the concept line_source says.
    virtual void fetch(line_read& read) = 0;
    virtual void start(line_read& read) = 0;
    [[nodiscard]] virtual object_info describe(std::string_view object) = 0;

protected:
    any_line_source() = default;
};

namespace detail {

// The first base of what reads from a source of a user's type: the source behind any_line_source,
// and its owner if it was given one. So the source outlives the other bases.
template <line_source Source>
class adapted_source {
public:
    // The source that the constructor got.
    [[nodiscard]] Source& source() noexcept { return source_; }

protected:
    explicit adapted_source(Source& from) noexcept : source_(from) {}
    explicit adapted_source(std::unique_ptr<Source> from) noexcept
        : owned_(std::move(from)), source_(*owned_) {}

    [[nodiscard]] any_line_source& adapted() noexcept { return adapter_; }

private:
    class adapter final : public any_line_source {
    public:
        explicit adapter(Source& source) noexcept : source_(source) {}
        void fetch(line_read& read) override { source_.fetch(read); }
        void start(line_read& read) override { source_.start(read); }
        [[nodiscard]] object_info describe(std::string_view object) override {
            return source_.describe(object);
        }

    private:
        Source& source_;
    };

    const std::unique_ptr<Source> owned_;
    Source& source_;
    adapter adapter_{source_};
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
