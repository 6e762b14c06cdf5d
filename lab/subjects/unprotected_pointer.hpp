// SPDX-License-Identifier: BSL-1.0
// Pointers without protection: the cost that remains if no thread must know when an object may be
// freed.
#pragma once

#include "subjects/pointer.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lab {

/// Objects are not freed but reused in turn. A thread reuses an object that it replaced after
/// `capacity` further stores. That is too soon for a reader that was preempted, so the lab does not
/// check what readers see. If `Counted`, readers count as owners would, but no thread reads the
/// counts.
template <class T, bool Counted>
class unprotected_pointer {
public:
    unprotected_pointer() : current_(new node(T())) {}
    ~unprotected_pointer() { delete current_.load(std::memory_order_relaxed); }
    unprotected_pointer(const unprotected_pointer&) = delete;
    unprotected_pointer& operator=(const unprotected_pointer&) = delete;

    template <class Use>
    void read(Use&& use) const {
        // acquire: this thread sees the object as its maker left it.
        node* const seen = current_.load(std::memory_order_acquire);
        // The memory orders that a count needs, as in the suite `operations`.
        if constexpr (Counted) seen->count.fetch_add(1, std::memory_order_relaxed);
        use(std::as_const(seen->value));
        if constexpr (Counted) seen->count.fetch_sub(1, std::memory_order_acq_rel);
    }

    void store(const T& value) {
        node*& place = replaced().next();
        // acq_rel: readers see the new object; all operations on the old one happen before its
        // reuse.
        place = current_.exchange(made_in(place, value), std::memory_order_acq_rel);
    }

    template <class Change>
    void update(Change&& change) {
        node*& place = replaced().next();
        node* seen = current_.load(std::memory_order_acquire);
        node* made = place;
        do {
            made = made_in(made, change(std::as_const(seen->value)));
            // acq_rel, as in store; acquire on failure, because the object is read again.
        } while (!current_.compare_exchange_strong(seen, made, std::memory_order_acq_rel,
                                                   std::memory_order_acquire));
        place = seen;
    }

private:
    static constexpr std::size_t capacity = 4096;

    struct no_count {};
    struct node {
        explicit node(const T& v) : value(v) {}
        T value;
        [[no_unique_address]] std::conditional_t<Counted, std::atomic<std::uint64_t>, no_count>
            count{};
    };

    /// The objects that a thread has replaced. It reuses the oldest first.
    class nodes {
    public:
        ~nodes() {
            for (node* const each : all_) delete each;
        }
        node*& next() noexcept { return all_[at_++ % capacity]; }

    private:
        std::array<node*, capacity> all_{};
        std::size_t at_ = 0;
    };

    static nodes& replaced() {
        static thread_local nodes mine;
        return mine;
    }

    static node* made_in(node* place, const T& value) {
        if (place == nullptr) return new node(value);
        place->value = value;
        return place;
    }

    std::atomic<node*> current_;
};

}  // namespace lab
