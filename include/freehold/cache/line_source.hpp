// SPDX-License-Identifier: BSL-1.0
// Where the lines of a line_cache come from: what a source of objects must be able to do, how it
// hands over the bytes that it has read, and how it says that it could not.
//
// A line_read is one request for consecutive bytes of one object, and the places that they go to:
// the source writes into room(), so nothing is copied on the way that the source itself does not
// copy. Its calls come in this order, from one thread at a time: begin once, then room and arrived
// in turn, then finish or fail once; after that the source touches it no more, and until then it
// stays alive. A source that tries again after a failure goes on after the last byte that arrived.
// Any of these calls may itself call start or describe: the source makes them without a lock.
// Thread-safety: a source takes requests from any number of threads at once.
#pragma once

#include <freehold/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

struct object_info {
    std::uint64_t size = 0;  // bytes
    std::string entity_tag;  // changes with the object's content; empty if the source knows none
};

enum class source_failure {
    not_found,       // no such object
    refused,         // the credentials or the permissions do not allow it
    changed,         // the object's entity tag is no longer the one that was asked for
    past_the_end,    // the object ends before the first byte that was asked for
    wrong_length,    // fewer or more bytes came than were asked for, after every attempt
    unreachable,     // no connection, or a broken one, after every attempt
    timed_out,       // no answer within the time that was set
    answered_error,  // the server answered with an error, after every attempt
    cancelled        // the reader wanted it no longer
};

// what() names the object, the range and what the server or the system answered.
class source_error : public std::runtime_error {
public:
    source_error(source_failure reason, const std::string& message)
        : std::runtime_error(message), reason_(reason) {}

    [[nodiscard]] source_failure reason() const noexcept { return reason_; }

private:
    source_failure reason_;
};

class line_read {
public:
    line_read(const line_read&) = delete;
    line_read& operator=(const line_read&) = delete;

    [[nodiscard]] std::string_view object() const noexcept { return object_; }
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    // Bytes wanted at most: an object that ends within them has fewer, and that is no failure.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    // The only entity tag that the object may have, or empty for any: source_failure::changed else.
    [[nodiscard]] std::string_view entity_tag() const noexcept { return entity_tag_; }

    // The object was found, and its bytes follow. False: they are not wanted any more.
    virtual bool begin(const object_info& object) noexcept = 0;
    // Where the next bytes go: not empty until all have arrived that the object has.
    virtual std::span<std::byte> room() noexcept = 0;
    // Whether bytes were there before, long ago: it is faulted in, and in no processor's cache.
    [[nodiscard]] virtual bool room_is_recycled() const noexcept { return false; }
    // That many bytes stand at the begin of room(). False: the rest is not wanted any more.
    virtual bool arrived(std::size_t bytes) noexcept = 0;
    [[nodiscard]] virtual bool wanted() const noexcept = 0;

    virtual void finish() noexcept = 0;
    virtual void fail(std::exception_ptr why) noexcept = 0;

protected:
    line_read(std::string object, std::uint64_t offset, std::uint64_t size, std::string entity_tag)
        : object_(std::move(object)),
          offset_(offset),
          size_(size),
          entity_tag_(std::move(entity_tag)) {}
    ~line_read() = default;

private:
    std::string object_;
    std::uint64_t offset_;
    std::uint64_t size_;
    std::string entity_tag_;
};

// fetch may use the calling thread until all has arrived; start returns at once, and the rest is
// done elsewhere. Both report through the line_read alone and throw nothing after begin.
template <class Source>
concept line_source = requires(Source& source, line_read& read, std::string_view object) {
                          { source.fetch(read) } -> std::same_as<void>;
                          { source.start(read) } -> std::same_as<void>;
                          { source.describe(object) } -> std::same_as<object_info>;
                      };

}  // namespace freehold::inline FREEHOLD_ABI
