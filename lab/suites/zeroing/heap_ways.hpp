// SPDX-License-Identifier: BSL-1.0
// Ways to make a line on the heap. Each way is a class of this shape:
//
//   Way(live)                  `live` is the most lines that exist at a time
//   owner                      movable, empty if default-constructed; drops its line
//   owner make()               throws std::bad_alloc
//   std::byte* bytes(owner&)   returns the address of the line's line_bytes bytes
//   static constexpr bool zeroes   whether the way's own code may set the bytes to zero; the
//                                  system's zeroing does not count
#pragma once

#include <freehold/memory/default_init_allocator.hpp>

#include "subjects/handles/boost_make_shared_noinit.hpp"
#include "subjects/handles/std_make_shared.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/zeroing/line.hpp"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace lab::lines {

/// A way whose lines are objects with shared owners.
template <class Owner, Owner (*Make)(), bool Zeroes>
struct shared_way {
    using owner = Owner;
    static constexpr bool zeroes = Zeroes;

    explicit shared_way(std::size_t) noexcept {}
    owner make() { return Make(); }
    static std::byte* bytes(owner& of) noexcept { return of->data; }
};

inline std::shared_ptr<line> made_shared() {
    return std::make_shared<line>();
}
inline std::shared_ptr<line_with_constructor> made_shared_with_constructor() {
    return std::make_shared<line_with_constructor>();
}

struct by_make_shared : shared_way<std::shared_ptr<line>, made_shared, true> {
    static constexpr identity is = handles::std_make_shared::is;
    using shared_way::shared_way;
};
struct by_make_shared_with_constructor
    : shared_way<std::shared_ptr<line_with_constructor>, made_shared_with_constructor, false> {
    static constexpr identity is = identities::std_make_shared_constructor;
    using shared_way::shared_way;
};

#if defined(__cpp_lib_smart_ptr_for_overwrite)
inline std::shared_ptr<line> made_shared_for_overwrite() {
    return std::make_shared_for_overwrite<line>();
}
struct by_make_shared_for_overwrite
    : shared_way<std::shared_ptr<line>, made_shared_for_overwrite, false> {
    static constexpr identity is = identities::std_make_shared_for_overwrite;
    using shared_way::shared_way;
};
#else
struct by_make_shared_for_overwrite {
    static constexpr identity is = identities::std_make_shared_for_overwrite;
};
#endif

#if LAB_HAS_BOOST
inline boost::shared_ptr<line> made_shared_noinit() {
    return boost::make_shared_noinit<line>();
}
struct by_make_shared_noinit : shared_way<boost::shared_ptr<line>, made_shared_noinit, false> {
    static constexpr identity is = handles::boost_make_shared_noinit::is;
    using shared_way::shared_way;
};
#else
struct by_make_shared_noinit {
    static constexpr identity is = handles::boost_make_shared_noinit::is;
};
#endif

template <class Allocator, bool Zeroes>
struct vector_way {
    using owner = std::vector<std::byte, Allocator>;
    static constexpr bool zeroes = Zeroes;

    explicit vector_way(std::size_t) noexcept {}
    owner make() { return owner(line_bytes); }
    static std::byte* bytes(owner& of) noexcept { return of.data(); }
};

struct by_vector : vector_way<std::allocator<std::byte>, true> {
    static constexpr identity is = {.name = "std::vector", .family = family::standard, .order = 17};
    using vector_way::vector_way;
};
struct by_default_init_allocator : vector_way<freehold::default_init_allocator<std::byte>, false> {
    static constexpr identity is = {
        .name = "freehold::default_init_allocator", .family = family::freehold, .order = 20};
    using vector_way::vector_way;
};

/// calloc zeroes memory from its heap, but not memory that the system has just mapped.
class by_calloc {
    struct freeing {
        void operator()(std::byte* place) const noexcept { std::free(place); }
    };

public:
    static constexpr identity is = {.name = "calloc", .family = family::allocator, .order = 5};
    static constexpr bool zeroes = true;
    using owner = std::unique_ptr<std::byte, freeing>;

    explicit by_calloc(std::size_t) noexcept {}
    owner make() {
        auto* const place = static_cast<std::byte*>(std::calloc(1, line_bytes));
        if (place == nullptr) throw std::bad_alloc();
        return owner(place);
    }
    static std::byte* bytes(owner& of) noexcept { return of.get(); }
};

}  // namespace lab::lines
