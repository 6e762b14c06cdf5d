// SPDX-License-Identifier: BSL-1.0
// The events of a trace in a temporary file, with a few bytes for each event. The destructor
// removes the file. So a trace is decoded once, and several threads can replay it many times at
// once. Each replay needs a few kilobytes of memory for a trace of any length. The file is in
// TMPDIR, or in /var/tmp, which is on a disk.
//
// An event begins with a byte that has flags and the time since the event before it (31: more
// follows). The flags say which numbers follow, with seven bits in a byte: the rest of the time,
// the thread and the process if they changed, the block, and the size and alignment that were asked
// for.
#pragma once

#include "advise/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

class trace_spool {
public:
    /// Where another process of the same user finds a finished spool, while the spool exists.
    struct place {
        std::uint64_t process;
        int descriptor;
        std::uint64_t bytes;
        std::uint64_t events;
    };

    /// Throws file_error. So do add and finish.
    trace_spool();
    /// Reads a spool that another process has written. Throws file_error.
    explicit trace_spool(const place& of_another);
    trace_spool(const trace_spool&) = delete;
    trace_spool& operator=(const trace_spool&) = delete;
    ~trace_spool();

    void add(const trace_event& event);
    /// Must be called once, after the last event.
    void finish();

    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return written_; }
    [[nodiscard]] place where() const noexcept;

    /// Reads the events once, from the first to the last. The spool is finished, and must outlive
    /// the cursor.
    class cursor {
    public:
        explicit cursor(const trace_spool& spool);

        /// The event as add got it, except that a free has no size and no alignment. Throws
        /// file_error.
        bool next(trace_event& event);

    private:
        void refill();
        std::uint64_t number();

        const trace_spool& spool_;
        std::vector<unsigned char> buffer_;
        const unsigned char* at_;
        const unsigned char* end_;
        std::uint64_t offset_ = 0;
        std::uint64_t left_;
        trace_event last_;
    };

private:
    void put(std::uint64_t number);
    void flush();

    int descriptor_;
    std::vector<unsigned char> buffer_;
    std::uint64_t written_ = 0;
    std::uint64_t events_ = 0;
    trace_event last_;
};

}  // namespace freehold
