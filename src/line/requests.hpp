// SPDX-License-Identifier: BSL-1.0
// A cache's lines and its source: how a miss, or a prefetch, becomes requests to the source.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_source.hpp>

#include "line/line_core.hpp"
#include "line/line_geometry.hpp"
#include "line/line_store.hpp"
#include "line/line_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_requests {
public:
    using line_ptr = line_core::line_ptr;

    // `source` must outlive the requests. Throws std::invalid_argument and std::bad_alloc.
    line_requests(any_line_source& source, const line_cache_options& options)
        : source_(source), core_(options) {}

    [[nodiscard]] line_core& core() noexcept { return core_; }
    [[nodiscard]] any_line_source& source() noexcept { return source_; }

    // Fetches a line that this thread inserted, and the lines after it that the object is known to
    // have. Returns the number of the latter. `here` allows the calling thread to do the work if it
    // is one request for one line.
    std::uint64_t fetch(const line_core::insertion& inserted, const line_key& key,
                        const wait_deadlines& deadlines, bool here) noexcept;

    // Called when a prefetched line is requested for the first time, or when the object's size has
    // just become known. Does nothing until there are enough missing lines for a whole request.
    void fetch_ahead_of(const line_ptr& line, access how) noexcept;

    // Fetches the missing lines of these runs, as prefetch does.
    void fetch_runs(const line_key& object, std::span<const line_run> runs) noexcept;

private:
    class line_supply;
    class prefetch_continuation;

    // Stops when memory is exhausted: a prefetch must not fail a get.
    void fetch_ahead(const line_key& object, std::uint64_t first, std::uint64_t count) noexcept;
    // Finds a place for the lines that are missing from this one on, at most `most`, and inserts
    // the first `count` of them. Returns false if memory is exhausted: a get will fetch the others.
    bool insert_gap(std::vector<line_ptr>& run, const line_key& object, std::uint64_t first,
                    std::uint64_t most, std::uint64_t count) noexcept;
    bool insert_lines(std::vector<line_ptr>& run, const line_key& object, std::uint64_t first,
                      std::size_t lines, line_supply& supply) noexcept;

    // Starts requests for these adjacent lines, and leaves `run` empty. `is_ahead` is false if a
    // reader asked for the first line.
    void send(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept;
    // Starts one request for these lines.
    void send_one(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept;

    any_line_source& source_;
    line_core core_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
