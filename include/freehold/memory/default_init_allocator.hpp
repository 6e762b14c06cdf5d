// SPDX-License-Identifier: BSL-1.0
// What it is: an allocator adaptor. Its construct without arguments default-initialises an object
// where the standard's allocators value-initialise it. So `std::vector<char, ...>(n)` and
// `resize(n)` leave the bytes of new elements unwritten.
// When to use it: for a std::vector whose new elements are overwritten at once, for example by a
// read.
// When not: for std::basic_string. Its resize and similar functions write new characters with
// character traits, and bypass the allocator.
// Example: `std::vector<char, freehold::default_init_allocator<char>> bytes(n);`
//
// The constructor of a type with a default constructor is called as usual. `resize(n, value)`
// writes the value. The bytes that are not written are those of memory that was freed before, or
// zero if the memory is new from the system. Reading a byte before it is written is undefined
// behaviour, and can disclose old data.
//
// Units: no memory of its own if the underlying allocator has no state.
// Complexity: no instruction for trivially default-constructible types. The rest is the underlying
// allocator's.
// Thread safety: as the underlying allocator's.
// Exceptions: construct throws what the element's constructor throws. The rest is the underlying
// allocator's.
// Ownership: as the underlying allocator's. The propagation traits are also the underlying
// allocator's.
// Source: Casey Carter's answer to "Is this behavior of vector::resize(size_type n) under C++11 and
// Boost.Container correct?" (Stack Overflow, 2014). Boost.Container has the technique as
// default_init_t.
#pragma once

#include <freehold/config.hpp>

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class Allocator = std::allocator<T>>
class default_init_allocator : public Allocator {
    using traits = std::allocator_traits<Allocator>;
    static_assert(std::is_same_v<typename traits::value_type, T>,
                  "default_init_allocator<T, Allocator> needs an allocator of T");

public:
    template <class U>
    struct rebind {
        using other = default_init_allocator<U, typename traits::template rebind_alloc<U>>;
    };

    using Allocator::Allocator;
    constexpr default_init_allocator() = default;
    // Allocates with a copy of `underlying`.
    constexpr default_init_allocator(const Allocator& underlying) noexcept
        : Allocator(underlying) {}
    template <class U, class Other>
    constexpr default_init_allocator(const default_init_allocator<U, Other>& other) noexcept
        : Allocator(static_cast<const Other&>(other)) {}

    [[nodiscard]] constexpr default_init_allocator select_on_container_copy_construction() const {
        return traits::select_on_container_copy_construction(*this);
    }

    // If the element takes the underlying allocator for its own memory, the underlying allocator
    // constructs it, and passes itself on.
    template <class U>
    void construct(U* place) {
        if constexpr (std::uses_allocator_v<U, Allocator>) {
            traits::construct(*this, place);
        } else {
            ::new (static_cast<void*>(place)) U;
        }
    }
    template <class U, class... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        traits::construct(*this, place, std::forward<Arguments>(arguments)...);
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
