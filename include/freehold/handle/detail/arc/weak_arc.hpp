// SPDX-License-Identifier: BSL-1.0
// What it is: weak_arc, which refers to an arc's object without keeping it alive.
// Units: one word. The object's memory stays allocated while weak references are left.
// Complexity: lock() is one addition; with an atomic count, it is a locked one if the process has
// threads.
// Thread safety: as arc's.
// Exceptions: none.
#pragma once

#include <freehold/handle/detail/arc/arc_class.hpp>
#include <freehold/handle/detail/weak_assignment.hpp>

#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// Refers to the object of an arc without owning it.
template <class T, class Count, class Allocator>
class weak_arc {
    using strong = arc<T, Count, Allocator>;

public:
    using element_type = std::remove_extent_t<T>;
    using count_type = Count;
    using allocator_type = Allocator;

    constexpr weak_arc() noexcept {}

    // Refers to the owner's object.
    weak_arc(const strong& owner) noexcept : object_(owner.object_) { add_reference(); }
    weak_arc(const weak_arc& other) noexcept : object_(other.object_) { add_reference(); }
    weak_arc(weak_arc&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }

    // Refers to the owner's object.
    template <class U>
        requires detail::arc_convertible_to<U, T>
    weak_arc(const arc<U, Count, Allocator>& owner) noexcept
        : object_(strong::at_start(owner.object_)) {
        add_reference();
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    weak_arc(const weak_arc<U, Count, Allocator>& other) noexcept
        : object_(strong::at_start(other.object_)) {
        add_reference();
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    weak_arc(weak_arc<U, Count, Allocator>&& other) noexcept
        : object_(strong::at_start(other.object_)) {
        other.object_ = nullptr;
    }

    ~weak_arc() { let_go(object_); }

    // A copy from a handle of the same object counts nothing.
    weak_arc& operator=(const weak_arc& other) noexcept { return refer_to(other.object_); }
    template <class U>
        requires(std::is_same_v<U, T> || detail::arc_convertible_to<U, T>)
    weak_arc& operator=(const arc<U, Count, Allocator>& owner) noexcept {
        return refer_to(strong::at_start(owner.object_));
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    weak_arc& operator=(const weak_arc<U, Count, Allocator>& other) noexcept {
        return refer_to(strong::at_start(other.object_));
    }
    template <class U>
        requires detail::arc_convertible_to<U, T>
    weak_arc& operator=(weak_arc<U, Count, Allocator>&& other) noexcept {
        return *this = weak_arc(std::move(other));
    }
    weak_arc& operator=(weak_arc&& other) noexcept {
        element_type* const taken = other.object_;
        other.object_ = nullptr;
        element_type* const old = object_;
        object_ = taken;
        let_go(old);
        return *this;
    }

    void reset() noexcept {
        element_type* const old = object_;
        object_ = nullptr;
        let_go(old);
    }
    void swap(weak_arc& other) noexcept {
        element_type* const object = object_;
        object_ = other.object_;
        other.object_ = object;
    }

    // Null if the object is gone.
    [[nodiscard]] strong lock() const noexcept {
        if (object_ == nullptr || !strong::counts(object_)->try_increment()) return nullptr;
        return detail::arc_access::own<T, Count, Allocator>(object_);
    }

    [[nodiscard]] long use_count() const noexcept {
        return object_ != nullptr ? static_cast<long>(strong::counts(object_)->value()) : 0;
    }
    [[nodiscard]] bool expired() const noexcept { return use_count() == 0; }

private:
    template <class U, class C, class A>
    friend class weak_arc;

    weak_arc& refer_to(element_type* object) noexcept {
        element_type* const old = object_;
        if (old == object) return *this;
        object_ = object;
        if (detail::replace_weak(counts_or_null(old), counts_or_null(object)))
            strong::template releases<>::free(strong::counts(old));
        return *this;
    }
    static typename Count::with_weak* counts_or_null(element_type* object) noexcept {
        return object != nullptr ? strong::counts(object) : nullptr;
    }
    void add_reference() const noexcept {
        if (object_ != nullptr) strong::counts(object_)->increment_weak();
    }
    static void let_go(element_type* object) noexcept {
        if (object != nullptr) strong::template releases<>::release_weak(strong::counts(object));
    }

    element_type* object_ = nullptr;
};

template <class T, class Count, class Allocator>
weak_arc(arc<T, Count, Allocator>) -> weak_arc<T, Count, Allocator>;

template <class T, class Count, class Allocator>
void swap(weak_arc<T, Count, Allocator>& a, weak_arc<T, Count, Allocator>& b) noexcept {
    a.swap(b);
}

}  // namespace freehold::inline FREEHOLD_ABI
