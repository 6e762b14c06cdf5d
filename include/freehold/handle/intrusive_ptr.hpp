// SPDX-License-Identifier: BSL-1.0
// What it is: a handle of one word for shared ownership of an object that contains its own count.
// When to use it: the objects have a count, or a class can derive from intrusive_base; the program
// turns raw pointers to owned objects into owners.
// When not: if weak pointers are needed (arc, shared_ptr).
// Example: `freehold::intrusive_ptr<node> first(new node); auto copy = first;`
//
// Two functions count for the pointee: `intrusive_ptr_add_ref(T*)` and `intrusive_ptr_release(T*)`.
// The compiler finds them by argument-dependent lookup, as Boost's pointer of the same name does.
// intrusive_base provides them. A program may turn a raw pointer to an owned object into an owner
// at any time.
//
// Units: a handle is one word. It allocates nothing.
// Complexity: a copy is a null check and a call of add_ref. A release is a null check and a call of
// release. A move does not access the count.
// Thread safety: that of the two functions, for distinct handles. Several threads may use one
// handle only with a lock.
// Exceptions: none. The two functions must not throw.
// Ownership: all handles to a pointee own it together. intrusive_ptr_release destroys the pointee
// when the last owner releases it.
// Source: boost::intrusive_ptr.
#pragma once

#include <freehold/handle/detail/handle_operators.hpp>
#include <freehold/handle/intrusive_base.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class T>
constexpr bool released_as_what_it_is() {
    if constexpr (requires { typename T::intrusively_deleted_as; }) {
        using deleted = typename T::intrusively_deleted_as;
        return std::same_as<std::remove_cv_t<T>, deleted> || std::has_virtual_destructor_v<deleted>;
    } else {
        return true;
    }
}

}  // namespace detail

template <class T>
class intrusive_ptr {
    static_assert(!std::is_array_v<T>, "intrusive_ptr owns single objects: give it no array type");

public:
    using element_type = T;

    constexpr intrusive_ptr() noexcept {}
    constexpr intrusive_ptr(std::nullptr_t) noexcept {}

    // If add_ref is false, the handle adopts an ownership that is already counted, as detach()
    // leaves it.
    intrusive_ptr(T* pointee, bool add_ref = true) noexcept : pointee_(pointee) {
        if (add_ref) add_owner();
    }

    intrusive_ptr(const intrusive_ptr& other) noexcept : pointee_(other.pointee_) { add_owner(); }
    intrusive_ptr(intrusive_ptr&& other) noexcept : pointee_(other.pointee_) {
        other.pointee_ = nullptr;
    }

    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    intrusive_ptr(const intrusive_ptr<U>& other) noexcept : pointee_(other.get()) {
        add_owner();
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    intrusive_ptr(intrusive_ptr<U>&& other) noexcept : pointee_(other.detach()) {}

    // This destructor is inlined by force, as intrusive_ptr_release of intrusive_base is.
    [[gnu::always_inline]] ~intrusive_ptr() { let_go(pointee_); }

    // An assignment takes the new value first and releases the old one last, because a pointee's
    // destructor may use this handle. A copy of the pointer that it has counts nothing.
    intrusive_ptr& operator=(const intrusive_ptr& other) noexcept { return *this = other.pointee_; }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    intrusive_ptr& operator=(const intrusive_ptr<U>& other) noexcept {
        return *this = static_cast<T*>(other.get());
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    intrusive_ptr& operator=(intrusive_ptr<U>&& other) noexcept {
        return *this = intrusive_ptr(std::move(other));
    }
    intrusive_ptr& operator=(intrusive_ptr&& other) noexcept {
        T* const taken = other.pointee_;
        other.pointee_ = nullptr;
        T* const old = pointee_;
        pointee_ = taken;
        let_go(old);
        return *this;
    }
    intrusive_ptr& operator=(T* pointee) noexcept {
        T* const old = pointee_;
        if (old == pointee) return *this;
        pointee_ = pointee;
        add_owner();
        let_go(old);
        return *this;
    }

    void reset() noexcept {
        T* const old = pointee_;
        pointee_ = nullptr;
        let_go(old);
    }
    // Releases the object and takes another, as the constructor does.
    void reset(T* pointee, bool add_ref = true) noexcept {
        intrusive_ptr(pointee, add_ref).swap(*this);
    }

    // Gives the counted ownership to the caller.
    [[nodiscard]] T* detach() noexcept { return std::exchange(pointee_, nullptr); }

    void swap(intrusive_ptr& other) noexcept {
        T* const pointee = pointee_;
        pointee_ = other.pointee_;
        other.pointee_ = pointee;
    }

    [[nodiscard]] T* get() const noexcept { return pointee_; }
    [[nodiscard]] std::add_lvalue_reference_t<T> operator*() const noexcept { return *pointee_; }
    [[nodiscard]] T* operator->() const noexcept { return pointee_; }
    [[nodiscard]] explicit operator bool() const noexcept { return pointee_ != nullptr; }

    // These functions exist if the pointee has use_count(), as a class derived from intrusive_base
    // has. They are templates, so that T may be incomplete until they are called.
    template <class Object = T>
        requires requires(const Object& object) { object.use_count(); }
    [[nodiscard]] long use_count() const noexcept {
        return pointee_ != nullptr ? static_cast<long>(pointee_->use_count()) : 0;
    }
    template <class Object = T>
        requires requires(const Object& object) { object.use_count(); }
    [[nodiscard]] bool unique() const noexcept {
        return use_count() == 1;
    }

private:
    void add_owner() const noexcept {
        static_assert(
            requires(T * object) {
                intrusive_ptr_add_ref(object);
                intrusive_ptr_release(object);
            },
            "intrusive_ptr_add_ref(T*) and intrusive_ptr_release(T*) must exist: write them "
            "beside T, or derive T from intrusive_base<T>");
        static_assert(detail::released_as_what_it_is<T>(),
                      "the class given to intrusive_base would be deleted without a virtual "
                      "destructor: give it one, or derive T from intrusive_base<T> itself");
        if (pointee_ != nullptr) intrusive_ptr_add_ref(pointee_);
    }

    [[gnu::always_inline]] static void let_go(T* pointee) noexcept {
        if (pointee != nullptr) intrusive_ptr_release(pointee);
    }

    T* pointee_ = nullptr;
};

namespace detail {
struct intrusive_family;
template <class T>
struct handle_family<intrusive_ptr<T>> {
    using type = intrusive_family;
};
}  // namespace detail

// Whether the handle's object has this address.
template <class T, class U>
    requires requires(T* a, U* b) { a == b; }
[[nodiscard]] bool operator==(const intrusive_ptr<T>& handle, U* pointer) noexcept {
    return handle.get() == pointer;
}

}  // namespace freehold::inline FREEHOLD_ABI
