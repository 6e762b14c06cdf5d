// SPDX-License-Identifier: BSL-1.0
// An allocator adaptor whose construct without arguments default-initialises where the standard's
// value-initialises: `std::vector<char, default_init_allocator<char>>(n)`, and its resize(n), leave
// their elements' bytes as they are, to be filled by a read. What has a default constructor gets it
// called as ever; `resize(n, value)` writes the value.
//
// The bytes are those of memory that was freed before, or zero where the system has just given it:
// reading one before it is written is undefined behaviour, and shows what was there. Not for
// std::basic_string: resize and its like fill new characters by character traits, past any
// allocator.
//
// Costs nothing: no memory of its own if the underlying allocator has none, and no instruction for
// types that are trivially default constructible. All else, thread-safety and exceptions included,
// is the underlying allocator's, and what propagates with it. Throws from construct what the
// element's constructor throws.
// Source of the technique: Casey Carter's answer to "Is this behavior of vector::resize(size_type
// n) under C++11 and Boost.Container correct?" (Stack Overflow, 2014); Boost.Container has it as
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
    constexpr default_init_allocator(const Allocator& underlying) noexcept
        : Allocator(underlying) {}
    template <class U, class Other>
    constexpr default_init_allocator(const default_init_allocator<U, Other>& other) noexcept
        : Allocator(static_cast<const Other&>(other)) {}

    [[nodiscard]] constexpr default_init_allocator select_on_container_copy_construction() const {
        return traits::select_on_container_copy_construction(*this);
    }

    // What takes the underlying allocator for its own memory is left to that, which hands itself
    // on.
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
