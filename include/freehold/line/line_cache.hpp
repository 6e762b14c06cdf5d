// SPDX-License-Identifier: BSL-1.0
// What it is: a cache of large lines of named objects, read from a line_source: files, object
// storage, or anything that can read a range of an object. A line is `line_size` bytes of an
// object; the last line of an object may be shorter. get returns a line pinned, shared and
// read-only.
// When to use it: for programs that read gigabytes and read parts of them again, such as query
// engines over object storage.
// When not: for small records, for data that is written, or if the page cache of local files is
// fast enough.
// Example: `freehold::line_cache cache(files, {.capacity = std::size_t{4} << 30});`
//
// - The memory of lines comes from the system once, in huge pages if possible, and is reused
//   without being zeroed or faulted in again. The source writes straight into it.
// - If several readers miss on one line, one request serves them all. Each reader continues as soon
//   as the bytes that it asked for have arrived.
// - All memory for lines together never exceeds `capacity`.
// - Lines that are fetched together lie behind each other, if there is room. get_range reads across
//   them without a copy.
// - S3-FIFO, a policy, chooses the line to evict. A line that a reader holds is never evicted.
//   Lines of a scan with access::once are evicted before others.
//
// Units: bytes; offsets are from the start of an object. Tables take 0.5 to 1 KiB for each line
// that fits, less for small lines, and a line in the cache takes another 200 bytes.
// Complexity: a hit takes a short bucket lock and three locked instructions, about 30 ns, and does
// not allocate. A hit of get_range takes about 30 ns, and 60 ns for each line. A hit by name also
// hashes the name. A get that fails because every line is in use looks at
// all lines: 0.1 to 0.2 us for each. It holds the mutex meanwhile, which a miss also needs.
// Thread safety: all functions may be called by several threads at once, except the destructor. The
// destructor ends requests early, and waits until the source and all callbacks have finished. No
// thread may be in a get then. Callbacks and coroutines run on the thread that delivered the bytes
// or requested a stop, or on the caller's if the line is there. They may use the cache but not
// destroy it, and must not call a blocking get. A child of fork must not use or destroy the cache,
// because it lacks the threads that deliver bytes. If line_cache_options::in_children is set, the
// child may read the lines that the forking thread held. It must not release them.
// Exceptions: a get throws source_error and whatever else the source reports, cache_full and
// std::bad_alloc. get_range throws source_error and whatever else the source reports. The
// constructor throws std::invalid_argument and std::bad_alloc. The entity tag or the size of an
// object may change while lines of it are in the cache. One get then fails with
// source_failure::changed, the object's lines are dropped, and the next get reads the new version.
// Failures and ends of objects are not cached: a get past the end asks the source again. But an
// asynchronous get fails with source_failure::past_the_end if the object's last line is in the
// cache, even if the object has grown: it must not wait.
// Ownership: the source must outlive the cache, unless the cache was given a std::unique_ptr to it.
// Lines may outlive the cache.
// Source: database buffer pools; the loading entries of CacheLib and Velox; Yang et al., S3-FIFO
// (SOSP 2023).
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/async_get.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_cache_statistics.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/stop_token.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class line_requests;
struct line_store_figures;
}  // namespace detail

// A cache whatever the type of its source. It is the base of line_cache; functions that take any
// cache take a reference to it.
class __attribute__((visibility("default"))) any_line_cache {
public:
    // The size that asks get for the whole line.
    static constexpr std::uint64_t whole_line = std::numeric_limits<std::uint64_t>::max();

    any_line_cache(const any_line_cache&) = delete;
    any_line_cache& operator=(const any_line_cache&) = delete;

    // Returns the whole line that holds `offset`. An object of size 0 has one line, of no bytes.
    [[nodiscard]] line get(const object_ref& object, std::uint64_t offset,
                           const stop_token& stop = {}) {
        return get(object, offset, whole_line, stop);
    }
    // Returns the line as soon as the bytes from `offset` to `offset + size` have arrived, as far
    // as they are in the line. line::wait waits for more. A requested stop ends the wait with
    // source_failure::cancelled. It also ends the request, unless that is a prefetch, or another
    // reader wants one of its lines that are not complete.
    [[nodiscard]] line get(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                           const stop_token& stop = {}) {
        return get_or_stop(object, offset, size, detail::stop_check(stop));
    }
    // The same for tokens of other libraries: asks stopped() about every 10 ms while it waits.
    // stopped() must not throw.
    template <class Stopped>
        requires std::predicate<const Stopped&>
    [[nodiscard]] line get(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                           const Stopped& stopped) {
        return get_or_stop(object, offset, size, detail::stop_check(stopped));
    }

    // Returns the bytes from `offset` to `offset + size`, as far as the object has them, in one
    // piece of memory: inside one line, or in lines that lie one behind the other. Requests the
    // missing lines, and waits for the bytes. Never waits for memory. A requested stop ends the
    // wait with source_failure::cancelled, but not the request. If a request fails while this
    // function waits, it throws what the source reports.
    //
    // Otherwise it returns an empty range, and gets of each line give the bytes or tell what is
    // wrong. The range is empty if
    // - the lines do not lie one behind the other, or are more than half of those that the cache
    //   can hold;
    // - there is no memory, or other ranges pin too many lines;
    // - a request fails before this function waits, or the object is invalidated meanwhile;
    // - the object ends before `offset`.
    [[nodiscard]] line_range get_range(const object_ref& object, std::uint64_t offset,
                                       std::uint64_t size, const stop_token& stop = {}) {
        return get_range_or_stop(object, offset, size, detail::stop_check(stop));
    }
    // The same for tokens of other libraries: asks stopped() about every 10 ms while it waits.
    // stopped() must not throw.
    template <class Stopped>
        requires std::predicate<const Stopped&>
    [[nodiscard]] line_range get_range(const object_ref& object, std::uint64_t offset,
                                       std::uint64_t size, const Stopped& stopped) {
        return get_range_or_stop(object, offset, size, detail::stop_check(stopped));
    }

    // Looks the object up once, so that each get of it is faster. Throws std::bad_alloc.
    [[nodiscard]] cached_object open(std::string_view object);
    // The same, with what the source has just told of the object. The first requests require that
    // version, and do not wait for a first line that tells the size. If the source has another
    // version by then, one get fails with source_failure::changed. Without effect if there are
    // lines of the object.
    [[nodiscard]] cached_object open(std::string_view object, const object_info& now);

    // Calls callback(line, std::exception_ptr) exactly once, before or after this function returns:
    // with the line, or with an empty line and the failure. The callback must not throw. If this
    // function throws, which is std::bad_alloc, the callback is not called.
    template <class Callback>
    void get_async(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                   Callback callback, const stop_token& stop = {}) {
        start_get(object, offset, size,
                  std::make_unique<detail::line_callback_of<Callback>>(std::move(callback)), stop);
    }
    template <class Callback>
        requires std::invocable<Callback&, line, std::exception_ptr>
    void get_async(const object_ref& object, std::uint64_t offset, Callback callback,
                   const stop_token& stop = {}) {
        get_async(object, offset, whole_line, std::move(callback), stop);
    }

    // Returns an awaitable. co_await begins the get, and returns the line or throws. If the object
    // is given by its name, the name must outlive the awaitable.
    [[nodiscard]] auto async_get(const object_ref& object, std::uint64_t offset,
                                 std::uint64_t size = whole_line, stop_token stop = {}) {
        return detail::awaited_line(*this, object, offset, size, std::move(stop));
    }

    // Fetches the missing lines among the `lines` lines from the one that holds `offset`, as far as
    // the object has them and memory is available. If the object's size is unknown, it fetches the
    // first line, and the others when that one begins to arrive.
    void prefetch(const object_ref& object, std::uint64_t offset, std::uint64_t lines);
    // Does the same for the lines that have bytes of these ranges, each line once, in the order of
    // the object. Fetches at most half of the lines that the cache can hold, because more would
    // evict the first ones. Throws std::bad_alloc.
    void prefetch(const object_ref& object, std::span<const byte_range> ranges);

    // Returns what is known from the object's lines in the cache, or else asks the source. Throws
    // what the source's describe throws.
    [[nodiscard]] object_info describe(std::string_view object);

    // Makes gets find neither the object's lines nor its pending fetches. Readers keep what they
    // hold.
    void invalidate(std::string_view object);
    // Does the same, unless the lines have this entity tag. The next fetch expects the tag: if the
    // source finds another, the fetch fails with source_failure::changed. With an empty tag, it is
    // the function above.
    void invalidate(std::string_view object, std::string_view entity_tag);
    // Gives memory back to the system: that of all lines that no reader holds. Returns the number
    // of bytes.
    std::size_t trim();

    // The figures so far, the options that the constructor got, and the source.
    [[nodiscard]] line_cache_statistics statistics();
    [[nodiscard]] const line_cache_options& options() const noexcept;
    [[nodiscard]] any_line_source& source() noexcept;

protected:
    // As the constructors of line_cache. The source must outlive the cache.
    any_line_cache(any_line_source& source, const line_cache_options& options);
    // Ends requests early, and waits for them and for all callbacks.
    ~any_line_cache();

private:
    friend detail::awaited_line;

    [[nodiscard]] line get_or_stop(const object_ref& object, std::uint64_t offset,
                                   std::uint64_t size, const detail::stop_check& stop);
    [[nodiscard]] line_range get_range_or_stop(const object_ref& object, std::uint64_t offset,
                                               std::uint64_t size, const detail::stop_check& stop);
    void start_get(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                   std::unique_ptr<detail::line_callback> callback, const stop_token& stop);

    const std::unique_ptr<detail::line_requests> requests_;
    const detail::line_store_figures& figures_;  // which debuggers print
};

// A cache over a source of this type, which models the concept line_source.
template <line_source Source>
class line_cache : public detail::adapted_source<Source>, public any_line_cache {
    using adapted_source = detail::adapted_source<Source>;

public:
    // `from` must outlive this one.
    line_cache(Source& from, const line_cache_options& options)
        : adapted_source(from), any_line_cache(this->adapted(), options) {}
    // The cache owns the source.
    line_cache(std::unique_ptr<Source> from, const line_cache_options& options)
        : adapted_source(std::move(from)), any_line_cache(this->adapted(), options) {}

    // The source that the constructor got.
    using adapted_source::source;
};

template <class Source>
line_cache(Source&, const line_cache_options&) -> line_cache<Source>;
template <class Source>
line_cache(std::unique_ptr<Source>, const line_cache_options&) -> line_cache<Source>;

namespace detail {

// How full a cache's memory is. Guarded by the mutex of the line_store whose base it is.
struct line_store_figures {
    const std::size_t line_size;  // bytes
    const std::size_t max_slots;
    std::size_t held = 0;       // slots with memory
    std::size_t most_held = 0;  // the most at once
    std::size_t taken = 0;      // by lines that are in the cache or held by readers
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
