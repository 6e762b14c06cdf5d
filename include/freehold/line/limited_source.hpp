// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source in front of another one. It bounds the bytes and requests in a second,
// and the reads at once, that the other one is asked for.
// When to use it: to stay below a store's quota or price, or to leave a network to others. One
// limited_source may serve several caches, which then share its limits.
// When not: to bound memory, which a line_cache does itself, or the connections of an s3_source,
// which has an option for them.
// Example: `freehold::limited_source slow(store, {.bytes_per_second = 200e6, .in_flight = 16});`
//
// - Reads wait in the order of their arrival. A read that is no longer wanted leaves the queue
//   within 10 ms.
// - A read is charged with its whole size when it begins. What the object does not have is refunded
//   when its size is known, and what did not arrive when the read ends.
// - A description is charged as one request. It waits for the rate, but not for reads, because a
//   read may need it to end.
// - Attempts that the source repeats by itself are not counted.
//
// Units: as each option says.
// Complexity: a read within the limits takes up to five short locks, and one allocation if it was
// started. The first read that must wait creates a thread.
// Thread safety: all functions may be called by several threads at once, except the destructor. The
// destructor cancels the reads that were started, and waits for them. A child of fork must not use
// the source, because it lacks the thread.
// Exceptions: the constructor throws std::invalid_argument if an option is impossible. describe
// throws what the source throws. fetch and start report failures by line_read::fail.
// Ownership: the source must outlive this one, unless it was given as a std::unique_ptr.
// Source: the token buckets of networks; Guava's RateLimiter.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/limited_source_options.hpp>
#include <freehold/line/line_source.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class source_limits;
}

// A limited_source whatever the type of the other source. It is the base of limited_source.
class __attribute__((visibility("default"))) any_limited_source {
public:
    any_limited_source(const any_limited_source&) = delete;
    any_limited_source& operator=(const any_limited_source&) = delete;

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;
    // Waits for the limit of requests, and asks the source. Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object);

    // The figures so far, and the options that the constructor got.
    [[nodiscard]] limited_source_statistics statistics() const;
    [[nodiscard]] const limited_source_options& options() const noexcept;

protected:
    // As the constructors of limited_source. The source must outlive this one.
    any_limited_source(any_line_source& source, const limited_source_options& options);
    // Cancels the reads that were started, and waits for them.
    ~any_limited_source();

private:
    const std::unique_ptr<detail::source_limits> limits_;
};

template <line_source Source>
class limited_source : public detail::adapted_source<Source>, public any_limited_source {
    using adapted_source = detail::adapted_source<Source>;

public:
    // `from` must outlive this one.
    limited_source(Source& from, const limited_source_options& options)
        : adapted_source(from), any_limited_source(this->adapted(), options) {}
    // Owns the source.
    limited_source(std::unique_ptr<Source> from, const limited_source_options& options)
        : adapted_source(std::move(from)), any_limited_source(this->adapted(), options) {}

    // The source that the constructor got.
    using adapted_source::source;
};

template <class Source>
limited_source(Source&, const limited_source_options&) -> limited_source<Source>;
template <class Source>
limited_source(std::unique_ptr<Source>, const limited_source_options&) -> limited_source<Source>;

}  // namespace freehold::inline FREEHOLD_ABI
