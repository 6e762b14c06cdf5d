// SPDX-License-Identifier: BSL-1.0
// What it is: an object together with its node. The object is constructed behind the node, or
// adopted.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/handle/detail/cyclic/edges.hpp>
#include <freehold/handle/detail/cyclic/heap.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/cyclic/storage.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class T>
consteval bool checked_for_edges() {
    constexpr bool unseen = source_of_edges<T>() == edge_source::unseen;
    static_assert(
        !(unseen && std::is_aggregate_v<T>),
        "freehold: cannot see the edges of an aggregate with a base class; give it a `trace`");
    return !unseen && can_have_edges<T>();
}

// The object lies behind its node.
template <class T>
struct cyclic_in_place : cyclic_node {
    template <class... Args>
    explicit cyclic_in_place(const cyclic_type& its_type, Args&&... args)
        : cyclic_node(its_type), object(construct(std::forward<Args>(args)...)) {}
    cyclic_in_place(const cyclic_in_place&) = delete;
    cyclic_in_place& operator=(const cyclic_in_place&) = delete;
    ~cyclic_in_place() {}

    [[nodiscard]] T& traced() noexcept { return object; }
    void destroy() noexcept { object.~T(); }

    union {
        T object;
    };

private:
    template <class... Args>
    static T construct(Args&&... args) {
        if constexpr (std::is_constructible_v<T, Args...>) {
            return T(std::forward<Args>(args)...);
        } else {
            return T{std::forward<Args>(args)...};
        }
    }
};

// The object was made elsewhere. The node holds its deleter.
template <class T, class Deleter>
struct cyclic_adopted : cyclic_node {
    cyclic_adopted(const cyclic_type& its_type, T* pointee, Deleter&& d) noexcept
        : cyclic_node(its_type), object(pointee), deleter(std::move(d)) {}

    [[nodiscard]] std::remove_cv_t<T>& traced() noexcept {
        return const_cast<std::remove_cv_t<T>&>(*object);
    }
    void destroy() noexcept {
        deleter(object);
        deleter.~Deleter();
    }

    T* object;
    [[no_unique_address]] Deleter deleter;
};

// Block is one of the two classes above. Traced is the type of its object.
template <class Block, class Traced>
struct cyclic_type_for {
    static void trace(cyclic_node* n, edge_sink& sink) {
        edge_visitor visitor(sink);
        visit_edges(static_cast<Block*>(n)->traced(), visitor);
    }
    static void destroy(cyclic_node* n) noexcept { static_cast<Block*>(n)->destroy(); }

    static constexpr auto trace_if_any() noexcept {
        if constexpr (checked_for_edges<Traced>()) {
            return &trace;
        } else {
            return nullptr;
        }
    }

    static constexpr cyclic_type value{trace_if_any(), &destroy, sizeof(Block), alignof(Block),
                                       slot_storage::class_of(sizeof(Block), alignof(Block))};
};

// Throws what the allocation or the construction throws. The memory is then returned.
template <class Block, class Traced, class... Args>
[[nodiscard]] Block* make_cyclic_block(Args&&... args) {
    constexpr const cyclic_type& type = cyclic_type_for<Block, Traced>::value;
    cycle_heap& heap = cycle_heap::current();
    void* const memory = heap.allocate(type);
    if constexpr (std::is_nothrow_constructible_v<Block, const cyclic_type&, Args...>) {
        return ::new (memory) Block(type, std::forward<Args>(args)...);
    } else {
        FREEHOLD_TRY {
            return ::new (memory) Block(type, std::forward<Args>(args)...);
        }
        FREEHOLD_CATCH(...) {
            heap.deallocate(memory, type);
            FREEHOLD_RETHROW;
        }
    }
}

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
