// SPDX-License-Identifier: BSL-1.0
// What it is: the class shared_ptr. ../shared_ptr.hpp states what it promises and costs.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/handle_operators.hpp>
#include <freehold/handle/detail/shared/owner_words.hpp>
#include <freehold/handle/detail/shared/pointer_block.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// [util.smartptr.shared]: a Y* may be owned as a T*.
template <class Y, class T>
inline constexpr bool is_compatible = std::is_convertible_v<Y*, T*>;
template <class Y, std::size_t N, class T>
inline constexpr bool is_compatible<Y[N], T[]> = std::is_convertible_v<Y (*)[N], T (*)[N]>;

template <class Y, class T>
concept compatible = is_compatible<Y, T>;

// A shared_ptr<T> may take ownership of a new Y*. It deletes the object as a Y or as an array of Y.
template <class Y, class T>
inline constexpr bool is_ownable = std::is_convertible_v<Y*, T*>;
template <class Y, class T>
inline constexpr bool is_ownable<Y, T[]> =
    requires { requires std::is_convertible_v<Y(*)[], T(*)[]>; };
template <class Y, class T, std::size_t N>
inline constexpr bool is_ownable<Y, T[N]> =
    requires { requires std::is_convertible_v<Y(*)[N], T(*)[N]>; };

template <class Y, class T>
concept deletes_like = (!std::is_array_v<T> && requires(Y * pointer) { delete pointer; }) ||
                       (std::is_array_v<T> && requires(Y * pointer) { delete[] pointer; });

template <class Y, class T>
concept ownable = is_ownable<Y, T> && deletes_like<Y, T>;

template <class Deleter, class Pointer>
concept deleter_of = std::is_move_constructible_v<Deleter> &&
                     requires(Deleter& deleter, Pointer& pointer) { deleter(pointer); };

// Converts from a literal 0 and from NULL, and from nothing else.
class literal_null {
    struct nothing;

public:
    literal_null(nothing*) noexcept {}
    template <class Null>
        requires std::is_null_pointer_v<Null>
    literal_null(Null) = delete;
};

// Gives the other parts of shared_ptr's family access to its two words.
struct shared_access;

}  // namespace detail

template <class T, class Count>
class shared_ptr : public detail::owner_words<T, Count> {
    using block = detail::control_block<Count>;
    using words = detail::owner_words<T, Count>;

public:
    using element_type = std::remove_extent_t<T>;
    using weak_type = weak_ptr<T, Count>;
    using count_type = Count;

    constexpr shared_ptr() noexcept {}
    constexpr shared_ptr(std::nullptr_t) noexcept {}

    // Owns the object, or a null pointer. The object is deleted as a Y, or by `deleter`; also if
    // this constructor throws std::bad_alloc. `allocator` provides the memory for the counts.
    template <class Y>
        requires detail::ownable<Y, T>
    explicit shared_ptr(Y* pointer) {
        own(pointer, detail::plain_delete<Y, T>(), detail::default_allocator());
        connect_weak_this(pointer);
    }
    template <class Y, class Deleter>
        requires(detail::is_ownable<Y, T> && detail::deleter_of<Deleter, Y*>)
    shared_ptr(Y* pointer, Deleter deleter)
        : shared_ptr(pointer, std::move(deleter), detail::default_allocator()) {}
    template <class Y, class Deleter, class Allocator>
        requires(detail::is_ownable<Y, T> && detail::deleter_of<Deleter, Y*>)
    shared_ptr(Y* pointer, Deleter deleter, Allocator allocator) {
        own(pointer, std::move(deleter), allocator);
        connect_weak_this(pointer);
    }
    // The null pointer's type is deduced. Otherwise g++ would compile the body of a generic deleter
    // that comes with a pointer, to find out whether the deleter takes null (LWG 4110).
    template <class Null, class Deleter>
        requires(std::is_null_pointer_v<Null> && detail::deleter_of<Deleter, std::nullptr_t>)
    shared_ptr(Null null, Deleter deleter)
        : shared_ptr(null, std::move(deleter), detail::default_allocator()) {}
    template <class Null, class Deleter, class Allocator>
        requires(std::is_null_pointer_v<Null> && detail::deleter_of<Deleter, std::nullptr_t>)
    shared_ptr(Null null, Deleter deleter, Allocator allocator) {
        own(null, std::move(deleter), allocator);
    }
    // As with nullptr, for a literal 0 or NULL.
    template <std::move_constructible Deleter>
    shared_ptr(detail::literal_null, Deleter deleter) : shared_ptr(nullptr, std::move(deleter)) {}
    template <std::move_constructible Deleter, class Allocator>
    shared_ptr(detail::literal_null, Deleter deleter, Allocator allocator)
        : shared_ptr(nullptr, std::move(deleter), std::move(allocator)) {}

    // Shares `owner`'s object and points to another, usually a part of it.
    template <class Y>
    shared_ptr(const shared_ptr<Y, Count>& owner, element_type* pointer) noexcept
        : words(pointer, owner.control_) {
        add_owner();
    }
    template <class Y>
    shared_ptr(shared_ptr<Y, Count>&& owner, element_type* pointer) noexcept
        : words(pointer, words::by_itself(owner.control_)) {
        owner.clear();
    }

    shared_ptr(const shared_ptr& other) noexcept : words(other) {
        if (other.control_ != nullptr) other.control_->increment();
    }
    template <class Y>
        requires detail::compatible<Y, T>
    shared_ptr(const shared_ptr<Y, Count>& other) noexcept : words(other.pointer_, other.control_) {
        add_owner();
    }
    // Sets `other` to null last: a compiler then knows that its destructor has nothing to release.
    shared_ptr(shared_ptr&& other) noexcept : words(static_cast<words&&>(other)) {}
    template <class Y>
        requires detail::compatible<Y, T>
    shared_ptr(shared_ptr<Y, Count>&& other) noexcept
        : words(other.pointer_, words::by_itself(other.control_)) {
        other.clear_one_by_one();
    }

    // Throws std::bad_weak_ptr if the object is gone.
    template <class Y>
        requires detail::compatible<Y, T>
    explicit shared_ptr(const weak_ptr<Y, Count>& weak) : words(locked(weak), weak.control_) {}

    // Takes the object and the deleter. If this constructor throws std::bad_alloc, `sole` keeps
    // both.
    template <class Y, class Deleter>
        requires(detail::compatible<Y, T> &&
                 std::convertible_to<typename std::unique_ptr<Y, Deleter>::pointer, element_type*>)
    shared_ptr(std::unique_ptr<Y, Deleter>&& sole) {
        auto pointer = sole.get();
        if (pointer == nullptr) return;
        // Unlike own(), this leaves the object to `sole` if memory is exhausted.
        if constexpr (std::is_reference_v<Deleter>) {
            std::reference_wrapper deleter(sole.get_deleter());
            take(pointer, deleter, detail::default_allocator());
        } else {
            take(pointer, sole.get_deleter(), detail::default_allocator());
        }
        sole.release();
        connect_weak_this(std::to_address(pointer));
    }

    [[FREEHOLD_INLINED]] ~shared_ptr() { let_go(control_); }

    // An assignment takes the new value first and releases the old one last, because an object's
    // destructor may use this handle. A copy from a handle of the same owner counts nothing.
    [[FREEHOLD_INLINED]] shared_ptr& operator=(const shared_ptr& other) noexcept {
        return share_with(other.pointer_, other.control_);
    }
    template <class Y>
        requires detail::compatible<Y, T>
    shared_ptr& operator=(const shared_ptr<Y, Count>& other) noexcept {
        return share_with(other.pointer_, other.control_);
    }
    // This function is inlined by force and uses no temporary handle. With a call or a temporary
    // handle, g++'s code takes a tenth longer to sort a vector of handles.
    [[FREEHOLD_INLINED]] shared_ptr& operator=(shared_ptr&& other) noexcept {
        let_go(this->replace_by(other));
        return *this;
    }
    template <class Y>
        requires detail::compatible<Y, T>
    shared_ptr& operator=(shared_ptr<Y, Count>&& other) noexcept {
        shared_ptr(std::move(other)).exchange(*this);
        return *this;
    }
    template <class Y, class Deleter>
        requires std::constructible_from<shared_ptr, std::unique_ptr<Y, Deleter>>
    shared_ptr& operator=(std::unique_ptr<Y, Deleter>&& sole) {
        shared_ptr(std::move(sole)).exchange(*this);
        return *this;
    }

    void reset() noexcept {
        block* const old = control_;
        this->clear();
        let_go(old);
    }
    // Releases the object and owns another, as the constructor does.
    template <class Y>
        requires detail::ownable<Y, T>
    void reset(Y* pointer) {
        shared_ptr(pointer).exchange(*this);
    }
    template <class Y, class Deleter>
        requires std::constructible_from<shared_ptr, Y*, Deleter>
    void reset(Y* pointer, Deleter deleter) {
        shared_ptr(pointer, std::move(deleter)).exchange(*this);
    }
    template <class Y, class Deleter, class Allocator>
        requires std::constructible_from<shared_ptr, Y*, Deleter, Allocator>
    void reset(Y* pointer, Deleter deleter, Allocator allocator) {
        shared_ptr(pointer, std::move(deleter), std::move(allocator)).exchange(*this);
    }

    void swap(shared_ptr& other) noexcept { this->exchange_in_memory(other); }

    [[nodiscard]] element_type* get() const noexcept { return pointer_; }
    template <class U = T>
        requires(!std::is_array_v<U> && !std::is_void_v<U>)
    [[nodiscard]] U& operator*() const noexcept {
        return *pointer_;
    }
    [[nodiscard]] element_type* operator->() const noexcept
        requires(!std::is_array_v<T>)
    {
        return pointer_;
    }
    template <class U = T>
        requires std::is_array_v<U>
    [[nodiscard]] std::remove_extent_t<U>& operator[](std::ptrdiff_t i) const noexcept {
        return pointer_[i];
    }
    [[nodiscard]] explicit operator bool() const noexcept { return pointer_ != nullptr; }

    // Whether this is the only owner. If so, this owner sees what former owners wrote to the
    // object.
    [[nodiscard]] bool unique() const noexcept { return this->use_count() == 1; }

    // For a count that is biased to the thread that made the object: all threads count atomically
    // from now on, and another thread need not interrupt this one to revoke the bias. The thread
    // that made the object calls this before it hands the object over. Other counts do not have
    // this function.
    template <class Block = block>
        requires requires(Block& b) { b.share(); }
    void share() noexcept {
        if (control_ != nullptr) control_->share();
    }

private:
    template <class U, class C>
    friend class shared_ptr;
    template <class U, class C>
    friend class weak_ptr;
    friend struct detail::shared_access;

    // The caller passes on one owner of `control`.
    shared_ptr(element_type* pointer, block* control) noexcept : words(pointer, control) {}

    // The conversion of the pointer may be one to a virtual base, which reads the object. So the
    // object must be known to live before.
    template <class Y>
    static element_type* locked(const weak_ptr<Y, Count>& weak) {
        if (weak.control_ == nullptr || !weak.control_->try_increment())
            FREEHOLD_THROW(std::bad_weak_ptr());
        return weak.pointer_;
    }

    [[FREEHOLD_INLINED]] shared_ptr& share_with(element_type* pointer, block* control) noexcept {
        block* const old = control_;
        pointer_ = pointer;
        if (old == control) return *this;
        control_ = control;
        add_owner();
        if (old != nullptr) old->release_inlined();
        return *this;
    }
    [[gnu::always_inline]] void add_owner() const noexcept {
        if (control_ != nullptr) control_->increment();
    }
    [[gnu::always_inline]] static void let_go(block* control) noexcept {
        if (control != nullptr) control->release();
    }

    template <class Pointer, class Deleter, class Allocator>
    void take(Pointer pointer, Deleter& deleter, const Allocator& allocator) {
        using made = detail::pointer_block<Pointer, Deleter, Allocator, Count>;
        control_ = made::make(pointer, deleter, allocator);
        if constexpr (!std::is_null_pointer_v<Pointer>) pointer_ = pointer;
    }
    // As take. If memory is exhausted, this function calls the deleter and throws.
    template <class Pointer, class Deleter, class Allocator>
    void own(Pointer pointer, Deleter deleter, const Allocator& allocator) {
        FREEHOLD_TRY {
            take(pointer, deleter, allocator);
        }
        FREEHOLD_CATCH(...) {
            dispose_of(pointer, deleter);
            FREEHOLD_RETHROW;
        }
    }
    // Called if memory is exhausted. It is not inlined, because g++ 12 would then warn of a use of
    // the deleted object.
    template <class Pointer, class Deleter>
    [[gnu::noinline, gnu::cold]] static void dispose_of(Pointer pointer, Deleter& deleter) {
        deleter(pointer);
    }

    // Connects an object that derives from enable_shared_from_this with its first owner.
    template <class Y>
    void connect_weak_this(Y* pointer) noexcept {
        if constexpr (!std::is_array_v<T>) {
            if constexpr (requires { set_weak_this(*this, pointer, pointer); }) {
                if (pointer != nullptr) set_weak_this(*this, pointer, pointer);
            }
        }
    }

    using words::control_;
    using words::pointer_;
};

template <class T, class Count>
shared_ptr(weak_ptr<T, Count>) -> shared_ptr<T, Count>;
template <class T, class Deleter>
shared_ptr(std::unique_ptr<T, Deleter>) -> shared_ptr<T>;

namespace detail {

struct shared_access {
    template <class T, class Count>
    [[nodiscard]] static shared_ptr<T, Count> own(std::remove_extent_t<T>* pointer,
                                                  control_block<Count>* control) noexcept {
        return shared_ptr<T, Count>(pointer, control);
    }
    template <class T, class Count>
    [[nodiscard]] static control_block<Count>* control(const shared_ptr<T, Count>& ptr) noexcept {
        return ptr.control_;
    }
    template <class T, class Count>
    [[nodiscard]] static control_block<Count>* control(const weak_ptr<T, Count>& ptr) noexcept {
        return ptr.control_;
    }
    template <class T, class Count>
    [[nodiscard]] static std::remove_extent_t<T>* pointer(const weak_ptr<T, Count>& ptr) noexcept {
        return ptr.pointer_;
    }
    template <class T, class Count>
    [[nodiscard]] static weak_ptr<T, Count> own_weak(std::remove_extent_t<T>* pointer,
                                                     control_block<Count>* control) noexcept {
        return weak_ptr<T, Count>(pointer, control);
    }
    // Sets the handle to null. The caller takes over its owner or weak reference.
    template <class Handle>
    static void disown(Handle& handle) noexcept {
        handle.clear();
    }
    // A weak reference that costs no locked instruction if `control` has one owner and no others.
    template <class T, class Count>
    [[nodiscard]] static weak_ptr<T, Count> first_reference(
        std::remove_extent_t<T>* pointer, control_block<Count>* control) noexcept {
        control->increment_weak_held();
        return weak_ptr<T, Count>(pointer, control);
    }
    template <class T, class Count, class Y>
    static void connect_weak_this(shared_ptr<T, Count>& ptr, Y* pointer) noexcept {
        ptr.connect_weak_this(pointer);
    }
    template <class Handle>
    [[nodiscard]] static bool equivalent(const Handle& a, const Handle& b) noexcept {
        return a.pointer_ == b.pointer_ && a.control_ == b.control_;
    }
};

template <class Count>
struct shared_family;
template <class T, class Count>
struct handle_family<shared_ptr<T, Count>> {
    using type = shared_family<Count>;
};

}  // namespace detail

// Returns the address of the deleter that was given to shared_ptr with the object. Returns null if
// there was none, or one of another type.
template <class Deleter, class T, class Count = atomic_count>
[[nodiscard]] Deleter* get_deleter(const shared_ptr<T, Count>& owner) noexcept {
    auto* const control = detail::shared_access::control(owner);
    if (control == nullptr) return nullptr;
    return static_cast<Deleter*>(
        control->manage(detail::task::find_deleter, &detail::identity_of<Deleter>()));
}

}  // namespace freehold::inline FREEHOLD_ABI
