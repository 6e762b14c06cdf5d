// SPDX-License-Identifier: BSL-1.0
// A descriptor that children of fork() close. A child would otherwise keep a lock or a connection
// of its parent beyond the parent's end. Not thread-safe. Throws nothing.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/fork_mutex.hpp>
#include <freehold/detail/lock_holder.hpp>

#include <utility>

#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] unforked_descriptor {
public:
    unforked_descriptor() = default;
    // `open` returns a new descriptor, or -1 and sets errno. No fork happens meanwhile.
    template <class Open>
    explicit unforked_descriptor(Open open) noexcept {
        const lock_holder lock(mutex_);
        number_ = open();
        link();
    }
    unforked_descriptor(const unforked_descriptor&) = delete;
    unforked_descriptor& operator=(const unforked_descriptor&) = delete;
    unforked_descriptor(unforked_descriptor && from) noexcept {
        take(from);
    }
    unforked_descriptor& operator=(unforked_descriptor&& from) noexcept {
        if (this == &from) return *this;
        close();
        take(from);
        return *this;
    }
    ~unforked_descriptor() {
        close();
    }

    [[nodiscard]] bool is_open() const noexcept {
        return number_ >= 0;
    }
    [[nodiscard]] int number() const noexcept {
        return number_;
    }

    void close() noexcept {
        const lock_holder lock(mutex_);
        if (number_ < 0) return;
        unlink();
        ::close(std::exchange(number_, -1));
    }

private:
    static void close_all() noexcept {
        for (unforked_descriptor* each = first_; each != nullptr; each = each->next_) {
            ::close(std::exchange(each->number_, -1));
        }
        first_ = nullptr;
    }

    void take(unforked_descriptor & from) noexcept {
        const lock_holder lock(mutex_);
        if (from.number_ < 0) return;
        from.unlink();
        number_ = std::exchange(from.number_, -1);
        link();
    }
    // The functions below require mutex_.
    void link() noexcept {
        if (number_ < 0) return;
        next_ = first_;
        first_ = this;
    }
    void unlink() noexcept {
        unforked_descriptor** at = &first_;
        while (*at != this) at = &(*at)->next_;
        *at = next_;
    }

    // Guards the list. Without memory for its enrolment, children keep their copies.
    static inline constinit fork_mutex<&close_all> mutex_;
    static inline constinit unforked_descriptor* first_ = nullptr;

    int number_ = -1;
    unforked_descriptor* next_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
