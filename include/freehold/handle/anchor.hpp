// SPDX-License-Identifier: BSL-1.0
// What it is: anchor, an owner that keeps an object with a sharded_count shared out: while there is
// an anchor, threads copy and release owners of the object without waiting for each other.
// When to use it: many threads copy owners of one object all the time, and none of them gets it
// from an atomic pointer.
// When not: if the owners come from an atomic_arc or atomic_shared_ptr with sharded_count. These do
// the same for what they hold.
// Example:
//     auto schema = freehold::make_arc<const table_schema, freehold::sharded_count>(columns);
//     const freehold::anchor shared_out(schema);
//     for (auto& worker : workers) worker.start(schema);    // each copies it for each row
//
// The destructor of an anchor gathers the object, and then releases the anchor's owner. If an
// object has several anchors, the destructor of the last one gathers it. The object then has an
// ordinary count, and dies with its last owner, at once.
//
// Units: an anchor is as large as its handle.
// Complexity: making an anchor is a share_out(), destroying it a gather(): see sharded_count.hpp. A
// move is that of the handle.
// Thread safety: several threads may use distinct anchors of one object.
// Exceptions: none. If there are no shards, the object's count stays ordinary.
// Ownership: an anchor is an owner.
// Source: the main pointer of folly's ReadMostlySharedPtr, of which there is one for each object.
#pragma once

#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// The counts of what a handle owns, or null.
template <class T>
[[nodiscard]] auto* counts_owned_by(const shared_ptr<T, sharded_count>& owner) noexcept {
    return shared_access::control(owner);
}
template <class T, class Allocator>
[[nodiscard]] auto* counts_owned_by(const arc<T, sharded_count, Allocator>& owner) noexcept {
    using handle = arc<T, sharded_count, Allocator>;
    return owner ? reinterpret_cast<control_block<sharded_count>*>(
                       arc_access::address_of_counts<handle>(
                           reinterpret_cast<std::uintptr_t>(owner.get())))
                 : nullptr;
}
template <class T>
[[nodiscard]] auto* counts_owned_by(const intrusive_ptr<T>& owner) noexcept
    requires requires { anchored_count::in(*owner).share_out(); }
{
    return owner ? &anchored_count::in(*owner) : nullptr;
}

}  // namespace detail

template <class Handle>
class anchor {
    static_assert(
        requires(const Handle& owner) { detail::counts_owned_by(owner); },
        "an anchor keeps a shared_ptr or arc with sharded_count, or an intrusive_ptr to a "
        "class with intrusive_base<Class, sharded_count>");

public:
    // Shares out the object that `owner` owns, if it is not null.
    explicit anchor(Handle owner) noexcept : owner_(std::move(owner)) {
        if (auto* const counts = detail::counts_owned_by(owner_)) counts->share_out();
    }
    anchor(anchor&&) noexcept = default;
    anchor& operator=(anchor&& other) noexcept {
        anchor taken(std::move(other));
        std::swap(owner_, taken.owner_);
        return *this;
    }
    ~anchor() {
        if (auto* const counts = detail::counts_owned_by(owner_)) counts->gather();
    }

    // The owner, for copies. It is null after a move.
    [[nodiscard]] const Handle& get() const noexcept { return owner_; }

    // Whether owners of the object are counted in shards now.
    [[nodiscard]] bool is_shared_out() const noexcept {
        auto* const counts = detail::counts_owned_by(owner_);
        return counts != nullptr && counts->is_shared_out();
    }

private:
    Handle owner_;
};

}  // namespace freehold::inline FREEHOLD_ABI
