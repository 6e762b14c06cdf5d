// SPDX-License-Identifier: BSL-1.0
// Shared ownership without a count: the owners of one pointee are links of a doubly linked ring,
// and the one that finds itself alone deletes.
//
// Costs three words (and what state the deleter has), no allocation ever: acquiring a raw pointer
// cannot fail. A copy writes four words, two of them in other owners; a release two in other
// owners. Moves relink the neighbours. unique() is one comparison; use_count() walks the ring.
//
// Each owner keeps a copy of the deleter, and the pointee is deleted by the last owner's. With the
// default deleter that means: as the last owner's T; so a linked_ptr<Base> accepts a Derived only
// if ~Base is virtual. A null pointer is not owned, and no deleter sees it.
//
// Thread-safety: none, not even for distinct handles to one pointee: they write to each other.
// Exceptions: none, provided that the deleter's copies and calls do not throw.
// Source: Mark Borgerding's proposal to Boost, January 2000.
#pragma once

#include <freehold/handle/handle_operators.hpp>
#include <freehold/handle/ring_link.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// Whether an object made as a U may be deleted by a Deleter that was chosen for T.
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
    using deleter_type = Deleter;

    constexpr linked_ptr() noexcept
        requires std::default_initializable<Deleter>
    = default;
    constexpr linked_ptr(std::nullptr_t) noexcept
        requires std::default_initializable<Deleter>
    {}

    template <class U>
        requires(std::convertible_to<U*, T*> && std::default_initializable<Deleter>)
    explicit linked_ptr(U* pointee) noexcept : linked_ptr(pointee, Deleter()) {}

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

    // Assignments take the new value first and delete the old pointee last, because its destructor
    // may come back to this handle. They relink in place: a temporary to swap with would have to be
    // linked in and out itself. Conversions go through the constructors above.
    linked_ptr& operator=(const linked_ptr& other) noexcept {
        if (this == &other) return *this;
        const disposal old(*this);
        pointee_ = other.pointee_;
        deleter_ = other.deleter_;
        if (pointee_ != nullptr) link_.join_after(other.link_);
        return *this;
    }
    linked_ptr& operator=(linked_ptr&& other) noexcept {
        if (this == &other) return *this;
        const disposal old(*this);
        take(other);
        return *this;
    }

    void reset() noexcept {
        const disposal old(*this);
        pointee_ = nullptr;
    }
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
    [[nodiscard]] const Deleter& get_deleter() const noexcept { return deleter_; }

    // Linear in the owners: it walks the ring.
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

    // Takes this handle out of its ring, and answers whether the pointee is now its to delete.
    [[nodiscard]] bool leave() noexcept { return pointee_ != nullptr && link_.leave(); }

    // Takes an owner out of its ring at once, and deletes at its own end what nobody else owns.
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

    // For a handle that is in no ring, whatever its pointee_ says.
    void take(linked_ptr& other) noexcept {
        pointee_ = std::exchange(other.pointee_, nullptr);
        deleter_ = other.deleter_;
        if (pointee_ != nullptr) link_.take_place_of(other.link_);
    }

    T* pointee_ = nullptr;
    // In a ring if, and only if, pointee_ is not null.
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
