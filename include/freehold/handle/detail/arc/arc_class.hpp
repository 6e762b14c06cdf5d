// SPDX-License-Identifier: BSL-1.0
// What it is: the class arc. ../arc.hpp states what it promises and costs.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/detail/in_register.hpp>
#include <freehold/detail/terminate.hpp>
#include <freehold/detail/unmade.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/arc/block_release.hpp>
#include <freehold/handle/detail/arc/element_block.hpp>
#include <freehold/handle/detail/arc/object_block.hpp>
#include <freehold/handle/detail/arc/open_block.hpp>
#include <freehold/handle/detail/arc/open_object.hpp>
#include <freehold/handle/detail/handle_operators.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// What an arc<T> knows of its object's block, and the block that is made for a T. A template of its
// own, because T may be incomplete where the arc is named.
template <class T, class Count, class Allocator>
struct arc_block_of {
    using type = std::conditional_t<std::is_polymorphic_v<T>, open_object<T, Count>,
                                    object_block<T, Count, Allocator>>;
    using made = std::conditional_t<std::is_polymorphic_v<T>, open_block<T, Count, Allocator>,
                                    object_block<T, Count, Allocator>>;
};
template <class T, class Count, class Allocator>
struct arc_block_of<T[], Count, Allocator> {
    using type = element_block<T, Count, Allocator>;
    using made = type;
};

template <class Derived>
inline constinit unmade<Derived> somewhere{};

// Whether a Base is at the start of each Derived. For an abstract class, this is unknown before
// there is an object; see arc::at_start.
template <class Derived, class Base>
inline constexpr bool starts_with =
    static_cast<const volatile void*>(
        std::addressof(static_cast<const volatile Base&>(somewhere<Derived>.object))) ==
    static_cast<const volatile void*>(std::addressof(somewhere<Derived>.object));
template <class Derived, class Base>
    requires std::is_abstract_v<Derived>
inline constexpr bool starts_with<Derived, Base> = true;

template <class From, class To>
inline constexpr bool is_convertible_arc = std::is_same_v<const From, To>;
template <class From, class To>
    requires(std::derived_from<std::remove_cv_t<From>, std::remove_cv_t<To>> &&
             !std::same_as<std::remove_cv_t<From>, std::remove_cv_t<To>> &&
             std::is_convertible_v<From*, To*> && std::is_polymorphic_v<To> &&
             requires(std::remove_cv_t<To> * base) { static_cast<std::remove_cv_t<From>*>(base); })
inline constexpr bool is_convertible_arc<From, To> =
    starts_with<std::remove_cv_t<From>, std::remove_cv_t<To>>;

template <class From, class To>
concept arc_convertible_to = is_convertible_arc<From, To>;

struct arc_access;
template <class Handle>
struct arc_burst;

}  // namespace detail

template <class T, class Count, class Allocator>
class arc {
    static_assert(!std::is_reference_v<T> && !std::is_void_v<T>, "arc owns objects");
    static_assert(!std::is_bounded_array_v<T>, "the length of an array is not part of arc's type");

public:
    using element_type = std::remove_extent_t<T>;
    using weak_type = weak_arc<T, Count, Allocator>;
    using count_type = Count;
    using allocator_type = Allocator;

    // The size of the block that allocate_arc<T, Count> requests from an Allocator for each object.
    // The blocks of a pool for such objects must have at least this size. For a packet of 2 KiB and
    // pool_allocator it is 2072 bytes. An object of a derived class has a block of its own class.
    [[nodiscard]] static constexpr std::size_t block_size() noexcept
        requires(!std::is_array_v<T>)
    {
        return sizeof(made_block<>);
    }
    // The same for an array of so many elements.
    [[nodiscard]] static constexpr std::size_t block_size(std::size_t length)
        requires std::is_array_v<T>
    {
        return made_block<>::size_for(length);
    }
    // The alignment that belongs to block_size.
    [[nodiscard]] static constexpr std::size_t block_alignment() noexcept {
        if constexpr (std::is_array_v<T>) {
            return made_block<>::alignment;
        } else {
            return alignof(made_block<>);
        }
    }

    constexpr arc() noexcept {}
    constexpr arc(std::nullptr_t) noexcept {}

    // Copies and releases are inlined by force. Compilers find them too long where there are many,
    // and a call takes longer: 32 copies and releases in a row take half as long again.
    [[FREEHOLD_INLINED]] arc(const arc& other) noexcept : object_(other.object_) { add_owner(); }
    // Sets `other` to null last: a compiler then knows that its destructor has nothing to release.
    arc(arc&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    arc(const arc<U, Count, Allocator>& other) noexcept : object_(at_start(other.object_)) {
        add_owner();
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    arc(arc<U, Count, Allocator>&& other) noexcept : object_(at_start(other.object_)) {
        other.object_ = nullptr;
    }

    [[FREEHOLD_INLINED]] ~arc() { release_unless_null(object_); }

    // An assignment takes the new value first and releases the old one last, because an object's
    // destructor may use this handle. A copy from a handle of the same object counts nothing.
    [[FREEHOLD_INLINED]] arc& operator=(const arc& other) noexcept {
        return share_with(other.object_);
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    arc& operator=(const arc<U, Count, Allocator>& other) noexcept {
        return share_with(at_start(other.object_));
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    arc& operator=(arc<U, Count, Allocator>&& other) noexcept {
        return *this = arc(std::move(other));
    }
    // Inlined by force: clang++ would keep the moved handle in memory, for a call that takes as
    // long as making the object.
    [[FREEHOLD_INLINED]] arc& operator=(arc&& other) noexcept {
        element_type* const taken = other.object_;
        other.object_ = nullptr;
        element_type* const old = object_;
        object_ = taken;
        release_unless_null(old);
        return *this;
    }

    void reset() noexcept {
        element_type* const old = object_;
        object_ = nullptr;
        release_unless_null(old);
    }
    // g++ would swap two pairs of handles at once. In a rotation by few handles, a load of a pair
    // would then wait for two earlier stores that have one handle of it each.
    void swap(arc& other) noexcept {
        element_type* object = object_;
#ifndef __clang__
        object = detail::in_register(object);
#endif
        object_ = other.object_;
        other.object_ = object;
    }

    [[nodiscard]] element_type* get() const noexcept { return object_; }
    [[nodiscard]] element_type& operator*() const noexcept
        requires(!std::is_array_v<T>)
    {
        return *object_;
    }
    [[nodiscard]] element_type* operator->() const noexcept
        requires(!std::is_array_v<T>)
    {
        return object_;
    }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }

    [[nodiscard]] element_type& operator[](std::size_t i) const noexcept
        requires std::is_array_v<T>
    {
        return object_[i];
    }
    // The number of elements, or 0 if the handle is null.
    [[nodiscard]] std::size_t size() const noexcept
        requires std::is_array_v<T>
    {
        return object_ != nullptr ? block<>::length(object_) : 0;
    }
    // The array's elements, for a range-based loop.
    [[nodiscard]] element_type* begin() const noexcept
        requires std::is_array_v<T>
    {
        return object_;
    }
    [[nodiscard]] element_type* end() const noexcept
        requires std::is_array_v<T>
    {
        return object_ + size();
    }

    [[nodiscard]] long use_count() const noexcept {
        return object_ != nullptr ? static_cast<long>(counts(object_)->value()) : 0;
    }
    // Whether this is the only owner. If so, this owner sees what former owners wrote to the
    // object.
    [[nodiscard]] bool unique() const noexcept { return use_count() == 1; }

    // Shares the object's block; nothing is allocated for it.
    template <class U>
        requires detail::compatible<T, U>
    operator shared_ptr<U, Count>() const& {
        return arc(*this).share_block();
    }
    template <class U>
        requires detail::compatible<T, U>
    operator shared_ptr<U, Count>() && {
        return share_block();
    }

    // For a count that is biased to the thread that made the object: all threads count atomically
    // from now on, and another thread need not interrupt this one to revoke the bias. The thread
    // that made the object calls this before it hands the object over. Other counts do not have
    // this function.
    void share() noexcept
        requires requires(detail::control_block<Count>& c) { c.share(); }
    {
        if (object_ != nullptr) counts(object_)->share();
    }

private:
    template <class U, class C, class A>
    friend class arc;
    template <class U, class C, class A>
    friend class weak_arc;
    friend struct detail::arc_access;
    friend struct detail::arc_burst<arc>;

    // A template, so that the compiler instantiates it where it is used: T may be incomplete
    // before.
    template <class U = T>
    using block = typename detail::arc_block_of<std::remove_cv_t<U>, Count, Allocator>::type;
    template <class U = T>
    using made_block = typename detail::arc_block_of<std::remove_cv_t<U>, Count, Allocator>::made;

    template <class U = T>
    using releases = detail::block_release<typename detail::released_block<block<U>>::type>;

    // Takes over one owner of `object` from the caller.
    struct owned {
        element_type* object;
    };
    explicit arc(owned one) noexcept : object_(one.object) {}

    [[gnu::always_inline]] static auto* counts(element_type* object) noexcept {
        return block<>::counts(object);
    }

    [[FREEHOLD_INLINED]] arc& share_with(element_type* object) noexcept {
        element_type* const old = object_;
        if (old == object) return *this;
        object_ = object;
        add_owner();
        if (old != nullptr) releases<>::release_seldom_last(counts(old));
        return *this;
    }
    [[gnu::always_inline]] void add_owner() const noexcept {
        if (object_ != nullptr) counts(object_)->increment();
    }

    [[gnu::always_inline]] static void release(element_type* object) noexcept {
        releases<>::release(counts(object));
    }
    [[gnu::always_inline]] static void release_unless_null(element_type* object) noexcept {
        if (object != nullptr) release(object);
    }

    // For an abstract class, only the object itself shows what is at its start. The function
    // terminates the program if the base is not there.
    template <class U>
    static element_type* at_start(U* derived) noexcept {
        element_type* const base = derived;
        if constexpr (std::is_abstract_v<U>) {
            if (static_cast<const volatile void*>(base) !=
                static_cast<const volatile void*>(derived)) {
                detail::terminate_with(
                    "an arc to an abstract class was converted to one to a base that does not "
                    "stand at its start; hold it by shared_ptr instead");
            }
        }
        return base;
    }

    // Gives its owner to the shared_ptr that it returns.
    shared_ptr<T, Count> share_block() {
        if (object_ == nullptr) return nullptr;
        block<>::prepare_for_shared_ptr(object_);
        element_type* const object = std::exchange(object_, nullptr);
        auto owner = detail::shared_access::own<T, Count>(object, counts(object));
        detail::shared_access::connect_weak_this(owner, object);
        return owner;
    }

    element_type* object_ = nullptr;
};

namespace detail {

struct arc_access {
    template <class T, class Count, class Allocator>
    [[nodiscard]] static arc<T, Count, Allocator> own(std::remove_extent_t<T>* object) noexcept {
        return arc<T, Count, Allocator>(typename arc<T, Count, Allocator>::owned{object});
    }
    // Leaves its owner to the caller.
    template <class Handle>
    static typename Handle::element_type* disown(Handle& owner) noexcept {
        return std::exchange(owner.object_, nullptr);
    }
    // For null, the result is an address without an object.
    template <class Handle>
    [[nodiscard, FREEHOLD_INLINED]] static std::uintptr_t address_of_counts(
        std::uintptr_t object) noexcept {
        return reinterpret_cast<std::uintptr_t>(
            Handle::counts(reinterpret_cast<typename Handle::element_type*>(object)));
    }
    // Gives up an owner.
    template <class Handle>
    static void let_go(control_block<typename Handle::count_type>* counts) noexcept {
        Handle::template releases<>::release(counts);
    }
};

struct arc_family;
template <class T, class Count, class Allocator>
struct handle_family<arc<T, Count, Allocator>> {
    using type = arc_family;
};

}  // namespace detail

}  // namespace freehold::inline FREEHOLD_ABI
