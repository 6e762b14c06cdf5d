// SPDX-License-Identifier: BSL-1.0
// What it is: function objects that compare and hash by owner, for containers with weak_ptr as
// keys. Handles that share an object are equal, whatever they point to.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/shared/weak_ptr.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

// As std::owner_less: orders handles by their owners.
template <>
struct owner_less<void> {
    using is_transparent = void;

    template <class A, class B>
        requires requires(const A& a, const B& b) { a.owner_before(b); }
    [[nodiscard]] bool operator()(const A& a, const B& b) const noexcept {
        return a.owner_before(b);
    }
};

namespace detail {

// A handle of one type, and weak and shared ones to the same.
template <class Handle, class Shared, class Weak>
struct owner_less_than {
    [[nodiscard]] bool operator()(const Handle& a, const Handle& b) const noexcept {
        return a.owner_before(b);
    }
    [[nodiscard]] bool operator()(const Shared& a, const Weak& b) const noexcept {
        return a.owner_before(b);
    }
    [[nodiscard]] bool operator()(const Weak& a, const Shared& b) const noexcept {
        return a.owner_before(b);
    }
};

}  // namespace detail

template <class T, class Count>
struct owner_less<shared_ptr<T, Count>>
    : detail::owner_less_than<shared_ptr<T, Count>, shared_ptr<T, Count>, weak_ptr<T, Count>> {};
template <class T, class Count>
struct owner_less<weak_ptr<T, Count>>
    : detail::owner_less_than<weak_ptr<T, Count>, shared_ptr<T, Count>, weak_ptr<T, Count>> {};

// Compares handles by their owners; C++26 has it as std::owner_equal.
struct owner_equal {
    using is_transparent = void;

    template <class A, class B>
        requires requires(const A& a, const B& b) { a.owner_equal(b); }
    [[nodiscard]] bool operator()(const A& a, const B& b) const noexcept {
        return a.owner_equal(b);
    }
};

// Hashes handles by their owners; C++26 has it as std::owner_hash.
struct owner_hash {
    using is_transparent = void;

    template <class Handle>
        requires requires(const Handle& handle) { handle.owner_hash(); }
    [[nodiscard]] std::size_t operator()(const Handle& handle) const noexcept {
        return handle.owner_hash();
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
