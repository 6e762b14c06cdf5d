// SPDX-License-Identifier: BSL-1.0
// The events of a trace in a temporary file of a few bytes each, which is gone with the object: a
// trace is decoded once and then replayed many times, by several threads at once, in a few
// kilobytes of memory however long it is. In TMPDIR, or in /var/tmp, which is on a disk.
//
// An event is a byte of flags with the time since the event before it (31: more follows), then, as
// far as its flags say, numbers of seven bits a byte: more of the time, thread and process where
// they changed, the block, and what was asked for.
#pragma once

#include "advise/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

class trace_spool {
public:
    /// Where another process of the same user finds a finished spool while it lives.
    struct place {
        std::uint64_t process;
        int descriptor;
        std::uint64_t bytes;
        std::uint64_t events;
    };

    /// Throws file_error, as add and finish do.
    trace_spool();
    /// To read what another process has written. Throws file_error.
    explicit trace_spool(const place& of_another);
    trace_spool(const trace_spool&) = delete;
    trace_spool& operator=(const trace_spool&) = delete;
    ~trace_spool();

    void add(const trace_event& event);
    /// To be called once after the last event.
    void finish();

    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return written_; }
    [[nodiscard]] place where() const noexcept;

    /// Reads the events once, from the first on. The spool is finished and outlives it.
    class cursor {
    public:
        explicit cursor(const trace_spool& spool);

        /// What add was given, but that a free says neither size nor alignment. Throws file_error.
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
