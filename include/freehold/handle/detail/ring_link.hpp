// SPDX-License-Identifier: BSL-1.0
// What it is: a link of a doubly linked ring, which linked_ptr has instead of a count.
//
// Invariant: while a link is in a ring, previous->next and next->previous are this link. Otherwise
// its pointers have no meaning. A copy of a const owner becomes its neighbour and writes to its
// link. Two words. Not thread-safe. Does not throw.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
// A ring does hold the addresses of local links, and each takes its own out when it is destroyed;
// g++ sees the former and not the latter.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdangling-pointer"
#endif

class ring_link {
public:
    struct unset_t {};

    constexpr ring_link() noexcept : previous_(nullptr), next_(nullptr) {}
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): two stores that nobody reads.
    explicit ring_link(unset_t) noexcept {}
    ring_link(const ring_link&) = delete;
    ring_link& operator=(const ring_link&) = delete;
    ~ring_link() = default;

    void start() noexcept { previous_ = next_ = this; }

    void join_after(const ring_link& other) noexcept {
        previous_ = &other;
        next_ = other.next_;
        next_->previous_ = this;
        other.next_ = this;
    }

    void take_place_of(const ring_link& other) noexcept {
        if (other.is_alone()) return start();
        previous_ = other.previous_;
        next_ = other.next_;
        previous_->next_ = this;
        next_->previous_ = this;
    }

    // Returns whether the ring is empty now.
    [[nodiscard]] bool leave() noexcept {
        if (is_alone()) return true;
        previous_->next_ = next_;
        next_->previous_ = previous_;
        return false;
    }

    [[nodiscard]] bool is_alone() const noexcept { return next_ == this; }

    [[nodiscard]] long size() const noexcept {
        long links = 1;
        for (const ring_link* link = next_; link != this; link = link->next_) ++links;
        return links;
    }

private:
    mutable const ring_link* previous_;
    mutable const ring_link* next_;
};

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#pragma GCC diagnostic pop
#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
