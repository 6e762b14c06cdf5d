// SPDX-License-Identifier: BSL-1.0
// What it is: cyclic_ptr, a counted pointer that also frees cycles of owners, and weak_cyclic_ptr.
// The objects name their edges. Trial deletion finds objects that only their own cycle owns, and
// destroys them.
// When to use it: for graphs, scenes, interpreters' values, and every structure whose edges do not
// form a tree.
// When not: if several threads share the objects, or if the edges form no cycles (arc, shared_ptr).
// Example:
//     struct node { freehold::cyclic_ptr<node> next; };
//     auto a = freehold::make_cyclic<node>();
//     a->next = a;  // a cycle: a collection destroys it when `a` is gone
//
// The edges of an aggregate are found automatically, or the compiler asks for a trace. Any other
// class names them by a member `void trace(auto& visit) { visit(first_, second_); }` or by a free
// function `trace(object, visit)`. Without one the class also compiles, but cycles through its
// handles are never collected.
//
// An object whose count falls to zero is destroyed at once. If the thread is running a destructor
// then, the object is destroyed after that destructor returns. Chains of any length therefore take
// constant stack.
//
// A release that leaves other owners makes an object a candidate, and so does a move of a handle to
// it. An object is a candidate once, until a collection has examined it. Objects of types without
// edges never are.
//
// Collections run by themselves, in slices of some 0.1 ms, when an object is made or adopted.
// collect_cycles() runs a whole collection. A long-lived object that the program uses all the time
// does not make collections slower (see cyclic/collector.hpp).
//
// Before the first destructor of a collected cycle runs, the edges between the objects that are
// collected together are null, and weak pointers to them have expired. Destructors may follow and
// drop other edges, and create objects and edges.
//
// One kind of cycle is found late: a cycle that a program closes only by moving a whole container
// into one of its own objects. A collection finds it after one of its handles is next copied and
// dropped, or moved.
//
// Units: bytes. A handle is two words. An object carries 24 bytes, and below 1 KiB no allocator
// overhead.
// Complexity: a copy is one plain increment. A release is one plain decrement and one branch. A
// move reads the object's count. A collection takes time in the candidates and what they reach, not
// in the heap.
// Thread safety: none between threads. Each thread has one heap. An object, its handles, and all
// that it reaches stay on the thread that made it. A thread's end runs a collection. Objects that
// are still owned then, for example by statics, live until their owners release them. Cycles that
// destructors of other thread-local objects make after it are not collected.
// Exceptions: making an object throws what the allocation and the constructor throw. Adopting one
// throws std::bad_alloc, and its deleter is called then. set_automatic_cycle_collection throws
// std::bad_alloc. Nothing else throws. Destructors and traces must not throw. At 2^27 weak pointers
// to one object, the program aborts.
// Ownership: all cyclic_ptrs to an object own it together. Those in its own cycle do not keep it
// alive. A weak_cyclic_ptr keeps the object's memory, not the object.
// Source: Bacon and Rajan, "Concurrent Cycle Collection in Reference Counted Systems" (ECOOP 2001);
// see cyclic/collector.hpp.
#pragma once

#include <freehold/detail/durations.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/handle/detail/cyclic/block.hpp>
#include <freehold/handle/detail/cyclic/edges.hpp>
#include <freehold/handle/detail/cyclic/heap.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/handle_operators.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

[[gnu::noinline, gnu::cold]] inline void settle_release(cyclic_node& n) noexcept {
    if (n.count() == 0) {
        cycle_heap::current().bury(n);
    } else {
        cycle_heap::current().report(n);
    }
}
[[gnu::noinline, gnu::cold]] inline void settle_move(cyclic_node& n) noexcept {
    cycle_heap::current().report(n);
}

}  // namespace detail

template <class T>
class cyclic_ptr : private detail::cyclic_handle {
    static_assert(!std::is_array_v<T>, "cyclic_ptr owns single objects: give it no array type");

public:
    using element_type = T;
    using weak_type = weak_cyclic_ptr<T>;

    constexpr cyclic_ptr() noexcept = default;
    constexpr cyclic_ptr(std::nullptr_t) noexcept {}

    // Adopts a pointee. It is deleted as the type that it has here, even if adopting fails.
    template <class Y>
        requires std::convertible_to<Y*, T*>
    explicit cyclic_ptr(Y* pointee) : cyclic_ptr(pointee, std::default_delete<Y>()) {}

    // Adopts a pointee, which `deleter` deletes, even if adopting fails.
    template <class Y, class Deleter>
        requires(std::convertible_to<Y*, T*> && std::invocable<Deleter&, Y*>)
    cyclic_ptr(Y* pointee, Deleter deleter) {
        if (!pointee) return;
        using block = detail::cyclic_adopted<Y, Deleter>;
        FREEHOLD_TRY {
            node =
                detail::make_cyclic_block<block, std::remove_cv_t<Y>>(pointee, std::move(deleter));
        }
        FREEHOLD_CATCH(...) {
            deleter(pointee);
            FREEHOLD_RETHROW;
        }
        object = erase(pointee);
    }

    // The count changes between the copies of the two words. The compiler then copies word by word,
    // and no load of both words waits for two stores.
    cyclic_ptr(const cyclic_ptr& other) noexcept : cyclic_handle{nullptr, other.node} {
        add_owner();
        object = other.object;
    }
    cyclic_ptr(cyclic_ptr&& other) noexcept : cyclic_handle(other.hand_over()) {}

    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    cyclic_ptr(const cyclic_ptr<U>& other) noexcept
        : cyclic_handle{erase(other.get()), other.node} {
        other.add_owner();
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    cyclic_ptr(cyclic_ptr<U>&& other) noexcept : cyclic_handle{erase(other.get()), other.node} {
        static_cast<void>(other.hand_over());
    }

    ~cyclic_ptr() { drop(node); }

    // The old pointee is released last: its destructor may use this handle. A copy from a handle of
    // the same owner counts nothing.
    cyclic_ptr& operator=(const cyclic_ptr& other) noexcept {
        return share_with(other.object, other.node);
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    cyclic_ptr& operator=(const cyclic_ptr<U>& other) noexcept {
        return share_with(erase(other.get()), other.node);
    }
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    cyclic_ptr& operator=(cyclic_ptr<U>&& other) noexcept {
        return *this = cyclic_ptr(std::move(other));
    }
    // This function is inlined by force and uses no temporary handle. With a call or a temporary
    // handle, g++'s code takes a fifth longer to sort a vector of handles.
    [[gnu::always_inline]] cyclic_ptr& operator=(cyclic_ptr&& other) noexcept {
        const detail::cyclic_handle taken = other.hand_over();
        object = taken.object;
        drop(std::exchange(node, taken.node));
        return *this;
    }

    void reset() noexcept { cyclic_ptr().exchange(*this); }
    // Releases the object and adopts another, as the constructor does.
    template <class Y>
        requires std::constructible_from<cyclic_ptr, Y*>
    void reset(Y* pointee) {
        cyclic_ptr(pointee).exchange(*this);
    }
    template <class Y, class Deleter>
        requires std::constructible_from<cyclic_ptr, Y*, Deleter>
    void reset(Y* pointee, Deleter deleter) {
        cyclic_ptr(pointee, std::move(deleter)).exchange(*this);
    }

    void swap(cyclic_ptr& other) noexcept {
        report_moved();
        other.report_moved();
        exchange(other);
    }

    [[nodiscard]] T* get() const noexcept { return static_cast<T*>(object); }
    [[nodiscard]] std::add_lvalue_reference_t<T> operator*() const noexcept { return *get(); }
    [[nodiscard]] T* operator->() const noexcept { return get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return object != nullptr; }

    [[nodiscard]] long use_count() const noexcept {
        return node ? static_cast<long>(node->use_count()) : 0;
    }
    // Whether this is the only owner.
    [[nodiscard]] bool unique() const noexcept { return use_count() == 1; }

private:
    template <class U>
    friend class cyclic_ptr;
    template <class U>
    friend class weak_cyclic_ptr;
    friend detail::cyclic_access;
    template <class U, class... Args>
    friend cyclic_ptr<U> make_cyclic(Args&&... args);

    cyclic_ptr(T* pointee, detail::cyclic_node* owned) noexcept
        : cyclic_handle{erase(pointee), owned} {}

    static void* erase(T* p) noexcept { return const_cast<std::remove_cv_t<T>*>(p); }

    cyclic_ptr& share_with(void* shared, detail::cyclic_node* owned) noexcept {
        detail::cyclic_node* const old = node;
        object = shared;
        if (old == owned) return *this;
        node = owned;
        add_owner();
        drop(old);
        return *this;
    }
    void add_owner() const noexcept {
        if (node) node->add_owner();
    }
    static void drop(detail::cyclic_node* owned) noexcept {
        if (owned && owned->drop_owner()) detail::settle_release(*owned);
    }
    // A move makes the object a candidate as a release does, because the handle may move into an
    // object that it leads to, and so close a cycle.
    void report_moved() const noexcept {
        if (node && node->is_watched()) detail::settle_move(*node);
    }
    // This function is inlined by force, for the reason that the move assignment states.
    [[nodiscard, gnu::always_inline]] detail::cyclic_handle hand_over() noexcept {
        report_moved();
        return {std::exchange(object, nullptr), std::exchange(node, nullptr)};
    }
    void exchange(cyclic_ptr& other) noexcept {
        std::swap(object, other.object);
        std::swap(node, other.node);
    }
};

// Makes an object and its node in one piece of the calling thread's heap. If a slice of a
// collection is due, this function runs it first. Destructors of unreachable objects may therefore
// run in it.
template <class T, class... Args>
[[nodiscard]] cyclic_ptr<T> make_cyclic(Args&&... args) {
    using object = std::remove_cv_t<T>;
    auto* const block = detail::make_cyclic_block<detail::cyclic_in_place<object>, object>(
        std::forward<Args>(args)...);
    return cyclic_ptr<T>(std::addressof(block->object), block);
}

// A weak pointer of two words. It keeps the object's memory, not the object.
template <class T>
class weak_cyclic_ptr {
public:
    using element_type = T;

    constexpr weak_cyclic_ptr() noexcept = default;
    // Refers to the owner's object without owning it.
    template <class U>
        requires std::convertible_to<U*, T*>
    weak_cyclic_ptr(const cyclic_ptr<U>& owner) noexcept : object_(owner.get()), node_(owner.node) {
        add_share();
    }

    weak_cyclic_ptr(const weak_cyclic_ptr& other) noexcept
        : object_(other.object_), node_(other.node_) {
        add_share();
    }
    weak_cyclic_ptr(weak_cyclic_ptr&& other) noexcept
        : object_(std::exchange(other.object_, nullptr)),
          node_(std::exchange(other.node_, nullptr)) {}

    // The conversion locks the object. Converting a pointer to an expired object need not be
    // possible (virtual bases).
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    weak_cyclic_ptr(const weak_cyclic_ptr<U>& other) noexcept : weak_cyclic_ptr(other.lock()) {}

    ~weak_cyclic_ptr() {
        if (node_) detail::cycle_heap::current().drop_weak(*node_);
    }

    weak_cyclic_ptr& operator=(const weak_cyclic_ptr& other) noexcept {
        if (node_ == other.node_) {
            object_ = other.object_;
        } else {
            weak_cyclic_ptr(other).swap(*this);
        }
        return *this;
    }
    weak_cyclic_ptr& operator=(weak_cyclic_ptr&& other) noexcept {
        weak_cyclic_ptr(std::move(other)).swap(*this);
        return *this;
    }

    void reset() noexcept { weak_cyclic_ptr().swap(*this); }
    void swap(weak_cyclic_ptr& other) noexcept {
        std::swap(object_, other.object_);
        std::swap(node_, other.node_);
    }
    friend void swap(weak_cyclic_ptr& a, weak_cyclic_ptr& b) noexcept { a.swap(b); }

    // Returns null if the object is destroyed or is about to be.
    [[nodiscard]] cyclic_ptr<T> lock() const noexcept {
        if (expired()) return {};
        node_->add_owner();
        return cyclic_ptr<T>(object_, node_);
    }
    [[nodiscard]] bool expired() const noexcept {
        return !node_ || node_->is(detail::cyclic_node::dead);
    }
    [[nodiscard]] long use_count() const noexcept {
        return node_ ? static_cast<long>(node_->use_count()) : 0;
    }

private:
    void add_share() const noexcept {
        if (node_) node_->add_weak();
    }

    T* object_ = nullptr;
    detail::cyclic_node* node_ = nullptr;
};

template <class T>
weak_cyclic_ptr(cyclic_ptr<T>) -> weak_cyclic_ptr<T>;

// Destroys every object of the calling thread's heap that no outside handle reaches, except the
// cycles that are found late, as the head of this file says. Returns the number of destroyed
// objects. If a destructor that a collection or a release runs calls this function, it returns 0 at
// once.
inline std::size_t collect_cycles() noexcept {
    return detail::current_cycle_heap ? detail::current_cycle_heap->collect_all() : 0;
}

// Runs a slice of a collection. It examines about `budget` objects, each in 10 to 50 ns; it does
// not split one connected piece of garbage. Repeated calls find all garbage that existed at the
// first call. Returns the number of destroyed objects.
inline std::size_t collect_cycles(std::size_t budget) noexcept {
    return detail::current_cycle_heap ? detail::current_cycle_heap->collect_slice(budget) : 0;
}

// Runs slices until `time` has passed or no object is left to examine. Returns the number of
// destroyed objects.
inline std::size_t collect_cycles(std::chrono::nanoseconds time) noexcept {
    constexpr std::size_t objects_between_looks_at_the_clock = 512;
    const auto end = std::chrono::steady_clock::now() + time;
    std::size_t destroyed = 0;
    while (detail::current_cycle_heap && !detail::current_cycle_heap->collector().is_idle()) {
        destroyed += collect_cycles(objects_between_looks_at_the_clock);
        if (std::chrono::steady_clock::now() >= end) break;
    }
    return destroyed;
}

// Turns the collections of the calling thread that run when objects are made on or off. They are on
// by default. Throws std::bad_alloc.
inline void set_automatic_cycle_collection(bool enabled) {
    detail::cycle_heap::current().set_automatic(enabled);
}

// The numbers of objects in the heap of one thread.
struct cycle_statistics {
    std::size_t objects;     // alive
    std::size_t candidates;  // waiting to be examined
    std::size_t examined;    // examined by collections so far
};

// Returns the statistics of the calling thread's heap.
[[nodiscard]] inline cycle_statistics current_cycle_statistics() noexcept {
    const detail::cycle_heap* const heap = detail::current_cycle_heap;
    if (!heap) return {};
    return {heap->objects(), heap->collector().candidates(), heap->collector().examined()};
}

namespace detail {
struct cyclic_family;
template <class T>
struct handle_family<cyclic_ptr<T>> {
    using type = cyclic_family;
};
}  // namespace detail

}  // namespace freehold::inline FREEHOLD_ABI
