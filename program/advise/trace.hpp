// SPDX-License-Identifier: BSL-1.0
// The recorded allocations of a program: one event after another in the order of time, from any
// recorder. A reader holds the data that its file format needs and a few words for each live block,
// never the whole trace. What it delivers is consistent: every free is of a block that was
// allocated before and is not yet freed. So a small number names a block instead of its address,
// and a replay can use it as an index into an array. trace_losses counts what cannot be made
// consistent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

/// A realloc is a free and an allocate at the same time. A realloc that failed is neither.
struct trace_event {
    enum class kind : std::uint8_t { allocate, free };

    std::uint64_t time = 0;       // ns since the first event
    std::uint64_t size = 0;       // bytes that were asked for; a free repeats the size of its block
    std::uint64_t alignment = 0;  // that was asked for; 0: no more than malloc's
    std::uint32_t block = 0;      // number among the live blocks; freed numbers are reused
    std::uint32_t thread = 0;     // 0, 1, ... in the order of appearance, over all processes
    std::uint32_t process = 0;    // 0, 1, ... in the order of appearance: trace_reader::processes()
    kind what = kind::allocate;
};

struct trace_process {
    std::string name;      // empty if not recorded
    std::uint64_t id = 0;  // the system's number
};

/// What a trace lacks. Complete after the end of the trace was reached.
struct trace_losses {
    std::uint64_t events = 0;           // delivered
    std::uint64_t lost_events = 0;      // missing from the trace, because the recorder was too slow
    std::uint64_t unknown_frees = 0;    // of blocks that the trace does not allocate; left out
    std::uint64_t missed_frees = 0;     // assumed where an address was allocated twice
    std::uint64_t failed = 0;           // requests that the allocator refused; left out
    bool truncated = false;             // the file ends before the trace does
    bool has_threads = true;            // false: every event has thread 0
    std::uint64_t time_resolution = 1;  // ns; 0: no times are known, and `time` counts events
    std::vector<std::string> warnings;  // one line of text for each of the above that applies

    [[nodiscard]] bool has_times() const { return time_resolution != 0; }
};

/// what() is one line that names the file, says what is wrong with it, and names the remedy.
class unreadable_trace : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// For one thread at a time.
class trace_reader {
public:
    trace_reader() = default;
    trace_reader(const trace_reader&) = delete;
    trace_reader& operator=(const trace_reader&) = delete;
    virtual ~trace_reader() = default;

    /// Returns false at the end of the trace, or where it is cut off (losses().truncated). Throws
    /// unreadable_trace if it cannot read even the first event.
    virtual bool next(trace_event& event) = 0;

    /// The share of the trace that has been read, from 0 to 1. An estimate.
    [[nodiscard]] virtual double progress() const = 0;

    [[nodiscard]] virtual const trace_losses& losses() const = 0;

    /// The processes that occurred so far. A cache belongs to one process, because processes do not
    /// share blocks.
    [[nodiscard]] virtual const std::vector<trace_process>& processes() const = 0;
};

/// Opens a folder in the Common Trace Format that LTTng-UST writes (`freehold record`), or a file
/// of heaptrack. That file may be raw or interpreted, and compressed or not. Throws
/// unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_trace(const std::filesystem::path& path);

}  // namespace freehold
