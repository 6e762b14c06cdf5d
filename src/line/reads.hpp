// SPDX-License-Identifier: BSL-1.0
// What sources do with a line_read: how they name it in messages, and how they begin and end it on
// threads of their own.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include <exception>
#include <string>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// "object 'a/b', bytes 0-8388607". The last byte is included, as in an HTTP range. Throws
// std::bad_alloc.
FREEHOLD_API std::string read_name(const line_read& read);

// Whether a read failed because the object has changed.
bool is_of_a_change(const std::exception_ptr& failure) noexcept;

// Calls transfer(read), and ends the read: fails it with what transfer throws.
template <class Transfer>
void end_read_after(line_read& read, Transfer transfer) noexcept {
    std::exception_ptr failure;
    try {
        transfer(read);
    } catch (...) {
        failure = std::current_exception();
    }
    // Outside the handler, so that the reader is the exception's only owner.
    if (failure) {
        read.fail(std::move(failure));
    } else {
        read.finish();
    }
}

// Passes the read to job_threads, or fails it.
template <class Threads>
void start_read(Threads& threads, line_read& read) noexcept {
    try {
        threads.push(&read);
    } catch (...) {
        read.fail(std::current_exception());
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
