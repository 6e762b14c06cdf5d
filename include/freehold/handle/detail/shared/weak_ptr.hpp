// SPDX-License-Identifier: BSL-1.0
// What it is: weak_ptr, which refers to an object without keeping it alive.
// Units: two words. While weak references are left, the object's block stays allocated; with
// make_shared, this includes the object's own memory.
// Complexity: copies and releases count weak references in the word that also counts owners. lock()
// is one addition; with an atomic count, it is a locked one if the process has threads.
// Thread safety: as shared_ptr's.
// Exceptions: none. Only shared_ptr's constructor from a weak_ptr throws.
#pragma once

#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/weak_assignment.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// As std::weak_ptr: refers to the object of a shared_ptr without owning it.
template <class T, class Count>
class weak_ptr : public detail::owner_words<T, Count> {
    using block = detail::control_block<Count>;
    using words = detail::owner_words<T, Count>;

public:
    using element_type = std::remove_extent_t<T>;
    using count_type = Count;

    constexpr weak_ptr() noexcept {}

    // Refers to the owner's object.
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr(const shared_ptr<Y, Count>& owner) noexcept : words(owner.pointer_, owner.control_) {
        add_reference();
    }
    // Reads the control block from `other`: a processor waits for its own recent store of a vector.
    weak_ptr(const weak_ptr& other) noexcept : words(other) {
        if (other.control_ != nullptr) other.control_->increment_weak();
    }
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr(const weak_ptr<Y, Count>& other) noexcept : words(converted(other), other.control_) {
        add_reference();
    }
    weak_ptr(weak_ptr&& other) noexcept : words(static_cast<words&&>(other)) {}
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr(weak_ptr<Y, Count>&& other) noexcept
        : words(converted(other), words::by_itself(other.control_)) {
        other.clear();
    }

    ~weak_ptr() { let_go(control_); }

    // A copy from a handle of the same owner counts nothing.
    weak_ptr& operator=(const weak_ptr& other) noexcept {
        return refer_to(other.pointer_, other.control_);
    }
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr& operator=(const weak_ptr<Y, Count>& other) noexcept {
        return refer_to(converted(other), other.control_);
    }
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr& operator=(const shared_ptr<Y, Count>& owner) noexcept {
        return refer_to(owner.pointer_, owner.control_);
    }
    weak_ptr& operator=(weak_ptr&& other) noexcept {
        let_go(this->replace_by(other));
        return *this;
    }
    template <class Y>
        requires detail::compatible<Y, T>
    weak_ptr& operator=(weak_ptr<Y, Count>&& other) noexcept {
        weak_ptr(std::move(other)).exchange(*this);
        return *this;
    }

    void reset() noexcept {
        block* const old = control_;
        this->clear();
        let_go(old);
    }

    void swap(weak_ptr& other) noexcept { this->exchange_in_memory(other); }

    [[nodiscard]] bool expired() const noexcept { return this->use_count() == 0; }

    // Null if the object is gone.
    [[nodiscard]] shared_ptr<T, Count> lock() const noexcept {
        if (control_ == nullptr || !control_->try_increment()) return nullptr;
        return shared_ptr<T, Count>(pointer_, control_);
    }

private:
    template <class U, class C>
    friend class shared_ptr;
    template <class U, class C>
    friend class weak_ptr;
    friend struct detail::shared_access;

    // Takes over one weak reference of `control`.
    weak_ptr(element_type* pointer, block* control) noexcept : words(pointer, control) {}

    weak_ptr& refer_to(element_type* pointer, block* control) noexcept {
        block* const old = control_;
        pointer_ = pointer;
        if (old == control) return *this;
        control_ = control;
        if (detail::replace_weak<typename Count::with_weak>(old, control)) old->free_memory();
        return *this;
    }
    void add_reference() const noexcept {
        if (control_ != nullptr) control_->increment_weak();
    }
    static void let_go(block* control) noexcept {
        if (control != nullptr) control->release_weak();
    }

    // A pointer to a virtual base is found by looking into the object, which must be alive then.
    template <class Y>
    static element_type* converted(const weak_ptr<Y, Count>& other) noexcept {
        if constexpr (std::is_array_v<T> || std::is_void_v<T> ||
                      requires(T * to) { static_cast<Y*>(const_cast<std::remove_cv_t<T>*>(to)); }) {
            return other.pointer_;
        } else {
            return other.lock().get();
        }
    }

    using words::control_;
    using words::pointer_;
};

template <class T, class Count>
weak_ptr(shared_ptr<T, Count>) -> weak_ptr<T, Count>;

template <class T, class Count>
void swap(weak_ptr<T, Count>& a, weak_ptr<T, Count>& b) noexcept {
    a.swap(b);
}

}  // namespace freehold::inline FREEHOLD_ABI
