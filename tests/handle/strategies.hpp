// SPDX-License-Identifier: BSL-1.0
// The strategies of owning that the contracts are instantiated for.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/cyclic_ptr.hpp>
#include <freehold/handle/dumb_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/handle/snapshot_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include "contracts/observed_objects.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace freehold::contracts {

template <class Count, class Allocator>
struct counted {
    template <class T>
    using handle = counted_ptr<T, Count, Allocator>;
    template <class T, class>
    using handle_with_deleter = handle<T>;
    template <class Derived>
    using base = nothing<Derived>;
    static constexpr bool has_deleter = true;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return handle<T>(new T(std::forward<Args>(args)...));
    }
};

using simple_counted = counted<local_count, std::allocator<std::byte>>;
using simple_counted_atomic = counted<atomic_count, std::allocator<std::byte>>;
using simple_counted_biased = counted<biased_count, std::allocator<std::byte>>;
using special_counted = counted<local_count, common_pool_allocator<std::byte>>;
using special_counted_atomic = counted<atomic_count, common_pool_allocator<std::byte>>;

template <template <class> class Base>
struct intrusive_with {
    template <class T>
    using handle = intrusive_ptr<T>;
    template <class Derived>
    using base = Base<Derived>;
    static constexpr bool has_deleter = false;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return handle<T>(new T(std::forward<Args>(args)...));
    }
};

// Counts as a user of Boost would have written it: no base of freehold's, free functions found by
// argument-dependent lookup.
template <class Derived>
class counts_by_itself {
public:
    [[nodiscard]] long use_count() const { return owners_; }
    friend void intrusive_ptr_add_ref(const counts_by_itself* object) { ++object->owners_; }
    friend void intrusive_ptr_release(const counts_by_itself* object) {
        // Laundered for the reason given in intrusive_base.hpp.
        if (--object->owners_ == 0) delete std::launder(static_cast<const Derived*>(object));
    }

private:
    mutable long owners_ = 0;
};

template <class Derived>
using with_local_count = intrusive_base<Derived, local_count>;
template <class Derived>
using with_atomic_count = intrusive_base<Derived, atomic_count>;
template <class Derived>
using with_sharded_count = intrusive_base<Derived, sharded_count>;

using intrusive = intrusive_with<with_local_count>;
using intrusive_atomic = intrusive_with<with_atomic_count>;
using intrusive_sharded = intrusive_with<with_sharded_count>;
using intrusive_by_functions = intrusive_with<counts_by_itself>;

struct linked {
    template <class T>
    using handle = linked_ptr<T>;
    template <class T, class Deleter>
    using handle_with_deleter = linked_ptr<T, Deleter>;
    template <class Derived>
    using base = nothing<Derived>;
    static constexpr bool has_deleter = true;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return handle<T>(new T(std::forward<Args>(args)...));
    }
};

template <class Count>
struct shared {
    template <class T>
    using handle = shared_ptr<T, Count>;
    template <class T, class>
    using handle_with_deleter = handle<T>;
    template <class T>
    using weak_handle = weak_ptr<T, Count>;
    template <class Derived>
    using base = nothing<Derived>;
    static constexpr bool has_deleter = true;
    static constexpr bool owns_null = true;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return make_shared<T, Count>(std::forward<Args>(args)...);
    }
    template <class T, class Allocator, class... Args>
    static handle<T> allocate(const Allocator& allocator, Args&&... args) {
        return allocate_shared<T, Count>(allocator, std::forward<Args>(args)...);
    }
};

using shared_atomic = shared<atomic_count>;
using shared_local = shared<local_count>;
using shared_biased = shared<biased_count>;
using shared_sharded = shared<sharded_count>;

// Cannot take a pointer, so it joins only the suites that make all their objects.
template <class Count>
struct in_arcs {
    template <class T>
    using handle = arc<T, Count>;
    template <class T>
    using weak_handle = weak_arc<T, Count>;
    template <class Derived>
    using base = nothing<Derived>;
    static constexpr bool has_deleter = false;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return make_arc<T, Count>(std::forward<Args>(args)...);
    }
    template <class T, class Allocator, class... Args>
    static arc<T, Count, Allocator> allocate(const Allocator& allocator, Args&&... args) {
        return allocate_arc<T, Count>(allocator, std::forward<Args>(args)...);
    }
};

using arc_atomic = in_arcs<atomic_count>;
using arc_local = in_arcs<local_count>;
using arc_biased = in_arcs<biased_count>;
using arc_sharded = in_arcs<sharded_count>;

// Neither counts nor deletes: it joins only the suites that delete the objects themselves.
struct dumb {
    static constexpr bool owns = false;
    template <class T>
    using handle = dumb_ptr<T>;
    template <class Derived>
    using base = nothing<Derived>;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return handle<T>(new T(std::forward<Args>(args)...));
    }
};

// Cannot be copied, and does not count.
struct snapshots {
    template <class T>
    using handle = snapshot_ptr<arc<T>>;
    template <class Derived>
    using base = nothing<Derived>;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return atomic_arc<T>(make_arc<T>(std::forward<Args>(args)...)).snapshot();
    }
};

struct cyclic {
    template <class T>
    using handle = cyclic_ptr<T>;
    template <class T, class>
    using handle_with_deleter = handle<T>;
    template <class Derived>
    using base = nothing<Derived>;
    static constexpr bool has_deleter = true;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return make_cyclic<T>(std::forward<Args>(args)...);
    }
};

}  // namespace freehold::contracts
