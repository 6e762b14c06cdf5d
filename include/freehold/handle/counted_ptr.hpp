// SPDX-License-Identifier: BSL-1.0
// What it is: a handle for shared ownership of any object. Its count is in a block of its own, from
// the heap ("simple counted") or from a common_pool_allocator ("special counted").
// When to use it: several owners share an object that exists already, on one thread, and no weak
// pointers are needed.
// When not: for weak pointers (shared_ptr), or if the object can be made in one block with its
// count (arc).
// Example: `freehold::counted_ptr<shape> drawn(new circle); auto copy = drawn;`
//
// The pointee is deleted as the type that it has where the handle acquires the raw pointer. A
// counted_ptr<Base> or counted_ptr<void> that is made from a Derived* therefore needs no virtual
// destructor. A null pointer is not owned: it gets no block, and its deleter is not called.
//
// Units: bytes. A handle is two words. Each pointee has one block of 24 bytes (32 with
// biased_count) from `Allocator`. The block is larger only if the deleter or the allocator has
// state.
// Complexity: constant. A copy is a null check and an increment. A release is a null check and a
// decrement, and one indirect call for the last owner. A move does not access the count.
// Thread safety: that of `Count`; the default, local_count, is for one thread. With each
// other count, several threads may use distinct handles to one pointee. Several threads may
// use one handle only with a lock.
// Exceptions: only the acquisition of a raw pointer may throw, if the block's allocation fails. The
// deleter is called for the pointee then. Deleters, their moves and the pointee's destructor must
// not throw.
// Ownership: all handles to a pointee own it together. The last one calls the deleter.
// Source: G. Collings, "Smart Pointer Timings" (Boost, 2000).
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/handle/detail/handle_operators.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// The count is the first member: copies access it, at offset 0.
template <reference_count Count>
struct counted_block {
    Count count;
    void (*dispose)(counted_block*) noexcept;
};

template <class Y, reference_count Count, class Deleter, class Allocator>
class owning_block final : counted_block<Count> {
    using base = counted_block<Count>;
    using traits = typename std::allocator_traits<Allocator>::template rebind_traits<owning_block>;
    using allocator_type = typename traits::allocator_type;

public:
    // Deletes the pointee if the allocation of the block fails.
    [[nodiscard]] static base* own(Y* pointee, Deleter& deleter, const Allocator& proto) {
        allocator_type allocator(proto);
        const auto place = allocate_or_delete(pointee, deleter, allocator);
        return ::new (static_cast<void*>(std::to_address(place)))
            owning_block(pointee, std::move(deleter), std::move(allocator));
    }

private:
    owning_block(Y* pointee, Deleter&& deleter, allocator_type&& allocator) noexcept
        : base{.count = starting_at<Y, Count>(1), .dispose = &dispose_of},
          pointee_(pointee),
          deleter_(std::move(deleter)),
          allocator_(std::move(allocator)) {}

    static auto allocate_or_delete(Y* pointee, Deleter& deleter, allocator_type& allocator) {
        FREEHOLD_TRY {
            return traits::allocate(allocator, 1);
        }
        FREEHOLD_CATCH(...) {
            deleter(pointee);
            FREEHOLD_RETHROW;
        }
    }

    // The block is freed before the pointee, so that a chain of owners reuses its memory while it
    // is destroyed.
    static void dispose_of(base* block) noexcept {
        auto* const self = static_cast<owning_block*>(block);
        Y* const pointee = self->pointee_;
        Deleter deleter(std::move(self->deleter_));
        allocator_type allocator(std::move(self->allocator_));
        const auto place = std::pointer_traits<typename traits::pointer>::pointer_to(*self);
        self->~owning_block();
        traits::deallocate(allocator, place, 1);
        deleter(pointee);
    }

    Y* pointee_;
    [[no_unique_address]] Deleter deleter_;
    [[no_unique_address]] allocator_type allocator_;
};

}  // namespace detail

template <class T, reference_count Count = local_count, class Allocator = std::allocator<std::byte>>
class counted_ptr {
    static_assert(!std::is_array_v<T>, "counted_ptr owns single objects: give it no array type");
    static_assert(!std::is_reference_v<T>, "counted_ptr owns objects: give it no reference type");

public:
    using element_type = T;
    using count_type = Count;
    using allocator_type = Allocator;

    constexpr counted_ptr() noexcept {}
    constexpr counted_ptr(std::nullptr_t) noexcept {}

    // Owns the pointee. It is deleted as a Y, or by `deleter`, also if this throws std::bad_alloc.
    template <class Y>
        requires std::convertible_to<Y*, T*>
    explicit counted_ptr(Y* pointee, const Allocator& allocator = Allocator())
        : counted_ptr(pointee, std::default_delete<Y>(), allocator) {}

    // Owns the pointee. It is deleted by `deleter`, also if this throws std::bad_alloc.
    template <class Y, class Deleter>
        requires(std::convertible_to<Y*, T*> && std::invocable<Deleter&, Y*>)
    counted_ptr(Y* pointee, Deleter deleter, const Allocator& allocator = Allocator())
        : counted_ptr(both{pointee, pointee != nullptr
                                        ? own_block<Y, Deleter>::own(pointee, deleter, allocator)
                                        : nullptr}) {}

    counted_ptr(const counted_ptr& other) noexcept
        : counted_ptr(both{other.pointee_, other.block_}) {
        add_owner();
    }
    counted_ptr(counted_ptr&& other) noexcept : counted_ptr(both{other.pointee_, other.block_}) {
        other.clear();
    }

    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    counted_ptr(const counted_ptr<U, Count, Allocator>& other) noexcept
        : counted_ptr(both{other.pointee_, other.block_}) {
        add_owner();
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    counted_ptr(counted_ptr<U, Count, Allocator>&& other) noexcept
        : counted_ptr(both{other.pointee_, other.block_}) {
        other.clear();
    }

    ~counted_ptr() { let_go(block_); }

    // An assignment takes the new value first and releases the old one last, because a pointee's
    // destructor may use this handle. A copy from a handle of the same owner counts nothing.
    counted_ptr& operator=(const counted_ptr& other) noexcept {
        return share_with(other.pointee_, other.block_);
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    counted_ptr& operator=(const counted_ptr<U, Count, Allocator>& other) noexcept {
        return share_with(other.pointee_, other.block_);
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    counted_ptr& operator=(counted_ptr<U, Count, Allocator>&& other) noexcept {
        return *this = counted_ptr(std::move(other));
    }
    // This function is inlined by force and uses no temporary handle. With a call or a temporary
    // handle, g++'s code takes a tenth longer to sort a vector of handles.
    [[gnu::always_inline]] counted_ptr& operator=(counted_ptr&& other) noexcept {
        T* const pointee = other.pointee_;
        block* const taken = other.block_;
        other.clear();
        block* const old = block_;
        pointee_ = pointee;
        block_ = taken;
        let_go(old);
        return *this;
    }

    void reset() noexcept {
        block* const old = block_;
        clear();
        let_go(old);
    }

    // Releases the object and owns another, as the constructor does.
    template <class Y>
        requires std::constructible_from<counted_ptr, Y*>
    void reset(Y* pointee) {
        counted_ptr(pointee).swap(*this);
    }
    template <class Y, class Deleter>
        requires std::constructible_from<counted_ptr, Y*, Deleter>
    void reset(Y* pointee, Deleter deleter) {
        counted_ptr(pointee, std::move(deleter)).swap(*this);
    }

    void swap(counted_ptr& other) noexcept {
        T* const pointee = pointee_;
        block* const owned = block_;
        T* const other_pointee = other.pointee_;
        block* const other_owned = other.block_;
        pointee_ = other_pointee;
        block_ = other_owned;
        other.pointee_ = pointee;
        other.block_ = owned;
    }

    [[nodiscard]] T* get() const noexcept { return pointee_; }
    [[nodiscard]] std::add_lvalue_reference_t<T> operator*() const noexcept { return *pointee_; }
    [[nodiscard]] T* operator->() const noexcept { return pointee_; }
    [[nodiscard]] explicit operator bool() const noexcept { return pointee_ != nullptr; }

    [[nodiscard]] long use_count() const noexcept {
        return block_ != nullptr ? static_cast<long>(block_->count.value()) : 0;
    }
    // Whether this is the only owner.
    [[nodiscard]] bool unique() const noexcept { return use_count() == 1; }

private:
    template <class U, reference_count C, class A>
    friend class counted_ptr;

    using block = detail::counted_block<Count>;

    template <class Y, class Deleter>
    using own_block = detail::owning_block<Y, Count, Deleter, Allocator>;

    struct both {
        T* pointee;
        block* owned;
    };
    explicit counted_ptr(both words) noexcept : pointee_(words.pointee), block_(words.owned) {}

    constexpr void clear() noexcept {
        pointee_ = nullptr;
        block_ = nullptr;
    }
    static void let_go(block* owned) noexcept {
        if (owned != nullptr && owned->count.decrement()) owned->dispose(owned);
    }

    counted_ptr& share_with(T* pointee, block* owned) noexcept {
        block* const old = block_;
        pointee_ = pointee;
        if (old == owned) return *this;
        block_ = owned;
        add_owner();
        let_go(old);
        return *this;
    }
    void add_owner() const noexcept {
        if (block_ != nullptr) block_->count.increment();
    }

    // Both words are null, or neither is.
    T* pointee_ = nullptr;
    block* block_ = nullptr;
};

namespace detail {
struct counted_family;
template <class T, reference_count Count, class Allocator>
struct handle_family<counted_ptr<T, Count, Allocator>> {
    using type = counted_family;
};
}  // namespace detail

}  // namespace freehold::inline FREEHOLD_ABI
