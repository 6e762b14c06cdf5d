// SPDX-License-Identifier: BSL-1.0
// A waiter for bytes of a line, and a line's list of waiters.
//
// A waiter is in at most one list. The thread that removes it, under the line's lock, calls wake()
// once, without that lock. wake() may destroy the waiter.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_waiter {
public:
    explicit line_waiter(std::uint64_t wanted) noexcept : end(wanted) {}
    line_waiter(const line_waiter&) = delete;
    line_waiter& operator=(const line_waiter&) = delete;

    virtual void wake() noexcept = 0;

    // The waiter needs this many bytes from the line's start, or the whole line.
    const std::uint64_t end;
    // Guarded by the line's lock until the waiter is woken.
    bool cancelled = false;
    line_waiter* next = nullptr;

protected:
    ~line_waiter() = default;
};

// Wakes in the order of arrival.
class waiter_list {
public:
    void push(line_waiter& waiter) noexcept {
        waiter.next = nullptr;
        (last_ != nullptr ? last_->next : first_) = &waiter;
        last_ = &waiter;
    }

    // Moves the waiters that `chosen` selects to `to`.
    template <class Chosen>
    void move_to(waiter_list& to, Chosen chosen) noexcept {
        waiter_list kept;
        for (line_waiter* at = first_; at != nullptr;) {
            line_waiter* const next = at->next;
            if (chosen(*at)) {
                to.push(*at);
            } else {
                kept.push(*at);
            }
            at = next;
        }
        *this = kept;
    }

    void append(const waiter_list& others) noexcept {
        if (others.first_ == nullptr) return;
        (last_ != nullptr ? last_->next : first_) = others.first_;
        last_ = others.last_;
    }

    void wake_all() noexcept {
        for (line_waiter* at = first_; at != nullptr;) {
            line_waiter* const next = at->next;
            at->wake();
            at = next;
        }
    }

private:
    line_waiter* first_ = nullptr;
    line_waiter* last_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
