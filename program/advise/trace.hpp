// SPDX-License-Identifier: BSL-1.0
// The recorded allocations of a program, one event after another in the order of time, whoever
// recorded them. A reader holds what its file format needs and a few words for each live block,
// never the trace. What it delivers is consistent: every free is of a block that was allocated
// before and not freed since, so a block is named by a small number instead of its address, and
// whoever replays the trace finds it in an array. What cannot be made consistent is counted in
// trace_losses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

/// A realloc is a free and an allocate at the same time, and one that failed is neither.
struct trace_event {
    enum class kind : std::uint8_t { allocate, free };

    std::uint64_t time = 0;       // ns since the first event
    std::uint64_t size = 0;       // asked for; a free repeats what its block was asked with
    std::uint64_t alignment = 0;  // asked for; 0: none beyond malloc's
    std::uint32_t block = 0;      // among the live ones; the numbers of freed ones are given again
    std::uint32_t thread = 0;     // 0, 1, ... in the order of appearance, over all processes
    std::uint32_t process = 0;    // 0, 1, ... in the order of appearance: trace_reader::processes()
    kind what = kind::allocate;
};

struct trace_process {
    std::string name;      // empty: not recorded
    std::uint64_t id = 0;  // the system's
};

/// What a trace cannot tell. Complete once its end was reached.
struct trace_losses {
    std::uint64_t events = 0;           // delivered
    std::uint64_t lost_events = 0;      // the recorder could not keep up: missing from the trace
    std::uint64_t unknown_frees = 0;    // of blocks whose allocation is not in the trace: left out
    std::uint64_t missed_frees = 0;     // an address was given again: the free before it is made up
    std::uint64_t failed = 0;           // requests that the allocator refused: left out
    bool truncated = false;             // the file ends in the middle
    bool has_threads = true;            // false: every event is of thread 0
    std::uint64_t time_resolution = 1;  // ns; 0: the trace has no times, and `time` counts events
    std::vector<std::string> warnings;  // each of the above that applies, in words: a line each

    [[nodiscard]] bool has_times() const { return time_resolution != 0; }
};

/// what() is one line that names the file, says what is wrong with it and what to do.
class unreadable_trace : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Used by one thread at a time.
class trace_reader {
public:
    trace_reader() = default;
    trace_reader(const trace_reader&) = delete;
    trace_reader& operator=(const trace_reader&) = delete;
    virtual ~trace_reader() = default;

    /// False at the end of the trace, or where it breaks off (losses().truncated). Throws
    /// unreadable_trace if not even the first event can be read.
    virtual bool next(trace_event& event) = 0;

    /// How much of the trace has been read, from 0 to 1; an estimate.
    [[nodiscard]] virtual double progress() const = 0;

    [[nodiscard]] virtual const trace_losses& losses() const = 0;

    /// Those that were met so far. A cache belongs to one process: their blocks never mix.
    [[nodiscard]] virtual const std::vector<trace_process>& processes() const = 0;
};

/// A folder in the Common Trace Format as LTTng-UST writes it (`freehold record`), or a file of
/// heaptrack's, raw or interpreted, compressed or not. Throws unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_trace(const std::filesystem::path& path);

}  // namespace freehold
