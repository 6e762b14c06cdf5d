// SPDX-License-Identifier: BSL-1.0
// The kinds of atomic pointers that the contract is instantiated for.
#pragma once

#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace freehold::contracts {

template <class Count>
struct arc_in_atomic {
    template <class T>
    using owner = arc<T, Count>;
    template <class T>
    using atomic = atomic_arc<T, Count>;
    static constexpr std::size_t words = 1;
    template <class T, class... Args>
    static owner<T> make(Args&&... args) {
        return make_arc<T, Count>(std::forward<Args>(args)...);
    }
};

// With an allocator that has state, which stands before the counts.
struct arc_of_allocator_in_atomic {
    template <class T>
    struct counting_allocator {
        using value_type = T;
        explicit counting_allocator(long& counted) : live(&counted) {}
        template <class U>
        counting_allocator(const counting_allocator<U>& other) : live(other.live) {}
        T* allocate(std::size_t n) {
            ++*live;
            return std::allocator<T>().allocate(n);
        }
        void deallocate(T* block, std::size_t n) {
            --*live;
            std::allocator<T>().deallocate(block, n);
        }
        bool operator==(const counting_allocator&) const = default;
        long* live;
    };
    static inline long blocks = 0;
    template <class T>
    using owner = arc<T, atomic_count, counting_allocator<T>>;
    template <class T>
    using atomic = atomic_arc<T, atomic_count, counting_allocator<T>>;
    static constexpr std::size_t words = 1;
    template <class T, class... Args>
    static owner<T> make(Args&&... args) {
        return allocate_arc<T>(counting_allocator<T>(blocks), std::forward<Args>(args)...);
    }
};

template <class Count>
struct shared_in_atomic {
    template <class T>
    using owner = shared_ptr<T, Count>;
    template <class T>
    using atomic = atomic_shared_ptr<T, Count>;
    static constexpr std::size_t words = 2;
    template <class T, class... Args>
    static owner<T> make(Args&&... args) {
        return make_shared<T, Count>(std::forward<Args>(args)...);
    }
};

// By std's name, of an object that came from a pointer.
struct acquired_in_std_atomic {
    template <class T>
    using owner = shared_ptr<T>;
    template <class T>
    using atomic = std::atomic<shared_ptr<T>>;
    static constexpr std::size_t words = 2;
    template <class T, class... Args>
    static owner<T> make(Args&&... args) {
        return shared_ptr<T>(new T(std::forward<Args>(args)...));
    }
};

}  // namespace freehold::contracts
