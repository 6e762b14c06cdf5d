// SPDX-License-Identifier: BSL-1.0
// What it is: a handle for shared ownership without a count. The owners of one pointee form a
// doubly linked ring. The owner that is alone in its ring deletes the pointee.
// When to use it: acquiring a raw pointer must not allocate and must not fail, and all owners are
// on one thread.
// When not: for several threads, or if the size of a handle matters (counted_ptr).
// Example: `freehold::linked_ptr<shape> drawn(new shape); auto copy = drawn;`
//
// Each owner keeps a copy of the deleter, and the last owner's deleter deletes the pointee. The
// default deleter deletes it as the last owner's T. A linked_ptr<Base> therefore accepts a Derived
// only if ~Base is virtual. A null pointer is not owned, and its deleter is not called.
//
// Units: a handle is three words, and the state of the deleter. It allocates nothing.
// Complexity: a copy writes four words, two of them in other owners. A release writes two words in
// other owners. A move relinks the neighbours. unique() is one comparison. use_count() is linear in
// the owners.
// Thread safety: none. Even distinct handles to one pointee must not be used by several threads at
// once, because they write to each other.
// Exceptions: none, if the deleter's copies and calls do not throw.
// Ownership: all handles of a ring own the pointee together.
// Source: Mark Borgerding's proposal to Boost, January 2000.
#pragma once

#include <freehold/handle/detail/handle_operators.hpp>
#include <freehold/handle/detail/ring_link.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// Whether a Deleter that was chosen for T may delete an object that was made as a U.
template <class U, class T, class Deleter>
inline constexpr bool deletable_as = true;
template <class U, class T>
inline constexpr bool deletable_as<U, T, std::default_delete<T>> =
    std::same_as<std::remove_cv_t<U>, std::remove_cv_t<T>> || std::has_virtual_destructor_v<T>;

}  // namespace detail

template <class T, class Deleter = std::default_delete<T>>
class linked_ptr {
    static_assert(!std::is_array_v<T>, "linked_ptr owns single objects: give it no array type");
    static_assert(std::is_nothrow_copy_constructible_v<Deleter> &&
                      std::is_nothrow_copy_assignable_v<Deleter>,
                  "linked_ptr hands its deleter from owner to owner: its copy constructor and "
                  "assignment must exist and not throw");

public:
    using element_type = T;
    // The type of the deleter.
    using deleter_type = Deleter;

    constexpr linked_ptr() noexcept
        requires std::default_initializable<Deleter>
    = default;
    constexpr linked_ptr(std::nullptr_t) noexcept
        requires std::default_initializable<Deleter>
    {}

    // Owns the pointee, which the deleter deletes.
    template <class U>
        requires(std::convertible_to<U*, T*> && std::default_initializable<Deleter>)
    explicit linked_ptr(U* pointee) noexcept : linked_ptr(pointee, Deleter()) {}

    // Owns the pointee, which `deleter` deletes.
    template <class U>
        requires std::convertible_to<U*, T*>
    linked_ptr(U* pointee, Deleter deleter) noexcept
        : pointee_(pointee), link_(unset), deleter_(std::move(deleter)) {
        assert_deletable<U>();
        if (pointee_ != nullptr) link_.start();
    }

    linked_ptr(const linked_ptr& other) noexcept
        : pointee_(other.pointee_), link_(unset), deleter_(other.deleter_) {
        if (pointee_ != nullptr) link_.join_after(other.link_);
    }
    linked_ptr(linked_ptr&& other) noexcept
        : pointee_(std::exchange(other.pointee_, nullptr)), link_(unset), deleter_(other.deleter_) {
        if (pointee_ != nullptr) link_.take_place_of(other.link_);
    }

    template <class U, class E>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*> &&
                 std::convertible_to<const E&, Deleter>)
    linked_ptr(const linked_ptr<U, E>& other) noexcept
        : pointee_(other.pointee_), link_(unset), deleter_(other.deleter_) {
        assert_deletable<U>();
        if (pointee_ != nullptr) link_.join_after(other.link_);
    }
    template <class U, class E>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*> &&
                 std::convertible_to<const E&, Deleter>)
    linked_ptr(linked_ptr<U, E>&& other) noexcept
        : pointee_(std::exchange(other.pointee_, nullptr)), link_(unset), deleter_(other.deleter_) {
        assert_deletable<U>();
        if (pointee_ != nullptr) link_.take_place_of(other.link_);
    }

    ~linked_ptr() {
        if (leave()) deleter_(pointee_);
    }

    // An assignment takes the new value first and deletes the old pointee last, because its
    // destructor may use this handle. It relinks in place: a temporary to swap with would have to
    // be linked in and out itself. Conversions use the constructors above.
    linked_ptr& operator=(const linked_ptr& other) noexcept {
        if (this == __builtin_addressof(other)) return *this;
        const disposal old(*this);
        pointee_ = other.pointee_;
        deleter_ = other.deleter_;
        if (pointee_ != nullptr) link_.join_after(other.link_);
        return *this;
    }
    linked_ptr& operator=(linked_ptr&& other) noexcept {
        if (this == __builtin_addressof(other)) return *this;
        const disposal old(*this);
        take(other);
        return *this;
    }

    void reset() noexcept {
        const disposal old(*this);
        pointee_ = nullptr;
    }
    // Releases the object and owns another, as the constructor does.
    template <class U>
        requires std::constructible_from<linked_ptr, U*>
    void reset(U* pointee) noexcept {
        *this = linked_ptr(pointee);
    }
    template <class U>
        requires std::convertible_to<U*, T*>
    void reset(U* pointee, Deleter deleter) noexcept {
        *this = linked_ptr(pointee, std::move(deleter));
    }

    void swap(linked_ptr& other) noexcept {
        linked_ptr mine(std::move(*this));
        take(other);
        other.take(mine);
    }

    [[nodiscard]] T* get() const noexcept { return pointee_; }
    [[nodiscard]] std::add_lvalue_reference_t<T> operator*() const noexcept { return *pointee_; }
    [[nodiscard]] T* operator->() const noexcept { return pointee_; }
    [[nodiscard]] explicit operator bool() const noexcept { return pointee_ != nullptr; }
    // The deleter that the handle carries.
    [[nodiscard]] const Deleter& get_deleter() const noexcept { return deleter_; }

    // Linear in the number of owners.
    [[nodiscard]] long use_count() const noexcept { return pointee_ != nullptr ? link_.size() : 0; }
    [[nodiscard]] bool unique() const noexcept { return pointee_ != nullptr && link_.is_alone(); }

private:
    template <class U, class E>
    friend class linked_ptr;

    static constexpr detail::ring_link::unset_t unset{};

    template <class U>
    static constexpr void assert_deletable() {
        static_assert(detail::deletable_as<U, T, Deleter>,
                      "the pointee would be deleted through a base without a virtual destructor: "
                      "give the base one, or choose a deleter that knows the pointee's type");
    }

    // Takes this handle out of its ring. Returns whether this handle now has to delete the pointee.
    [[nodiscard]] bool leave() noexcept { return pointee_ != nullptr && link_.leave(); }

    // The constructor takes an owner out of its ring. The destructor deletes the pointee if it has
    // no other owner.
    class disposal {
    public:
        explicit disposal(linked_ptr& owner) noexcept
            : doomed_(owner.leave() ? owner.pointee_ : nullptr), deleter_(owner.deleter_) {}
        disposal(const disposal&) = delete;
        disposal& operator=(const disposal&) = delete;
        ~disposal() {
            if (doomed_ != nullptr) deleter_(doomed_);
        }

    private:
        T* doomed_;
        [[no_unique_address]] Deleter deleter_;
    };

    // The caller's handle is in no ring, whatever its pointee_ is.
    void take(linked_ptr& other) noexcept {
        pointee_ = std::exchange(other.pointee_, nullptr);
        deleter_ = other.deleter_;
        if (pointee_ != nullptr) link_.take_place_of(other.link_);
    }

    T* pointee_ = nullptr;
    // The link is in a ring if and only if pointee_ is not null.
    detail::ring_link link_;
    [[no_unique_address]] Deleter deleter_ = Deleter();
};

namespace detail {
struct linked_family;
template <class T, class Deleter>
struct handle_family<linked_ptr<T, Deleter>> {
    using type = linked_family;
};
}  // namespace detail

}  // namespace freehold::inline FREEHOLD_ABI
