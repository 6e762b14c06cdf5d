// SPDX-License-Identifier: BSL-1.0
// Gives a class the count that intrusive_ptr asks for: `class node : public intrusive_base<node>`.
//
// Costs the size of `Count` (8 bytes; 16 if it is biased) in each object. The last release deletes
// the object as a `Derived`, so a class that is derived further needs a virtual destructor in
// `Derived`; intrusive_ptr refuses to own it otherwise. A new object has no owners. Copying or
// assigning an object leaves both counts alone: owners belong to an object, not to its value.
//
// Thread-safety: that of `Count`; the default is safe to share. Does not throw.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/fwd.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class Derived, class Count>
class intrusive_base {
    static_assert(reference_count<Count>,
                  "the count of an intrusive_base must be a reference_count");

public:
    using intrusively_deleted_as = Derived;

    [[nodiscard]] long use_count() const noexcept { return static_cast<long>(count_.value()); }

    friend void intrusive_ptr_add_ref(const intrusive_base* object) noexcept {
        object->count_.increment();
    }
    // Inlined by force, because a biased count makes it longer than clang++ would inline, and a
    // call costs a release a fifth of its time.
    [[gnu::always_inline]] friend void intrusive_ptr_release(
        const intrusive_base* object) noexcept {
        if (object->count_.decrement()) object->destroy();
    }

protected:
    constexpr intrusive_base() noexcept {}
    constexpr intrusive_base(const intrusive_base&) noexcept {}
    constexpr intrusive_base& operator=(const intrusive_base&) noexcept { return *this; }
    ~intrusive_base() = default;

private:
    void destroy() const noexcept {
        // Laundered because g++ at -O3 copies the next owner's reads to right behind the delete and
        // then warns that they use it. Adds no instruction, but g++ keeps a new and delete that it
        // could have left out.
        delete std::launder(static_cast<const Derived*>(this));
    }

    mutable Count count_ = detail::starting_at<Derived, Count>(0);
};

}  // namespace freehold::inline FREEHOLD_ABI
