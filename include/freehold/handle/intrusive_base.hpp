// SPDX-License-Identifier: BSL-1.0
// What it is: a base class that gives a class the count and the two functions that intrusive_ptr
// needs.
// When to use it: the program defines the class of the counted objects.
// When not: if the class cannot be changed (arc, shared_ptr).
// Example: `class node : public freehold::intrusive_base<node> {};`
//
// The last release deletes the object as a `Derived`. If a class derives from `Derived`, `Derived`
// needs a virtual destructor; otherwise intrusive_ptr refuses to own the class. A new object has no
// owners. Copying or assigning an object changes neither count: owners belong to an object, not to
// its value.
//
// Units: each object contains a `Count`: 8 bytes, or 16 if it is biased.
// Complexity: that of `Count`.
// Thread safety: that of `Count`; the default is safe to share.
// Exceptions: none. atomic_count terminates the program at 2^31 owners.
// Ownership: the owners that the count counts own the object together.
// Source: boost::intrusive_ref_counter.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/fwd.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
struct anchored_count;
}  // namespace detail

template <class Derived, class Count>
class intrusive_base {
    static_assert(reference_count<Count>,
                  "the count of an intrusive_base must be a reference_count");

public:
    // The type that the object is deleted as.
    using intrusively_deleted_as = Derived;

    [[nodiscard]] long use_count() const noexcept { return static_cast<long>(count_.value()); }

    friend void intrusive_ptr_add_ref(const intrusive_base* object) noexcept {
        object->count_.increment();
    }
    [[gnu::always_inline]] friend void intrusive_ptr_release(
        const intrusive_base* object) noexcept {
        object->release();
    }

protected:
    // The count starts at 0. A copy or an assignment of an object leaves its count alone.
    constexpr intrusive_base() noexcept {}
    constexpr intrusive_base(const intrusive_base&) noexcept {}
    constexpr intrusive_base& operator=(const intrusive_base&) noexcept { return *this; }
    ~intrusive_base() = default;

private:
    friend struct detail::anchored_count;

    // The compiler inlines this function by force. A biased count makes it longer than clang++
    // would inline, and a call takes a fifth of a release's time.
    [[gnu::always_inline]] void release() const noexcept {
        if (count_.decrement()) destroy();
    }
    void destroy() const noexcept {
        // Without launder, g++ at -O3 copies the next owner's reads to directly after the delete,
        // and warns that they use the deleted object. launder adds no instruction. It keeps g++
        // from removing a new and delete that it could remove.
        delete std::launder(static_cast<const Derived*>(this));
    }

    mutable Count count_ = detail::starting_at<Derived, Count>(0);
};

}  // namespace freehold::inline FREEHOLD_ABI
