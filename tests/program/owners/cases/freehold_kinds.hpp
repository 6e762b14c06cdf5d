// SPDX-License-Identifier: BSL-1.0
// Freehold's handles with each of their counts, as kinds that programs are made of. ONE_COUNT
// takes one count for each handle.
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/cyclic_ptr.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <type_traits>

struct nothing {};
struct virtual_functions {
    virtual ~virtual_functions() = default;
};

// The ways of holding. `base` is what an object needs to be held, and `weak` a weak handle, if
// there is one.
struct simple_kind {
    template <class T>
    using base = nothing;
    template <class T>
    using weak = nothing;
};
template <class Count>
struct shared_made : simple_kind {
    template <class T>
    using handle = freehold::shared_ptr<T, Count>;
    template <class T>
    using weak = freehold::weak_ptr<T, Count>;
    template <class T>
    static handle<T> make() {
        return freehold::make_shared<T, Count>();
    }
};
template <class Count>
struct shared_new : shared_made<Count> {
    template <class T>
    static freehold::shared_ptr<T, Count> make() {
        return freehold::shared_ptr<T, Count>(new T);
    }
};
template <class Count>
struct arc_open : simple_kind {
    template <class T>
    using base = virtual_functions;
    template <class T>
    using handle = freehold::arc<T, Count>;
    template <class T>
    using weak = freehold::weak_arc<T, Count>;
    template <class T>
    static handle<T> make() {
        return freehold::make_arc<T, Count>();
    }
};
// Blocks of such objects differ only by their size: each count has sizes of its own here.
template <class Count>
struct arc_plain : arc_open<Count> {
    template <class T>
    struct base {
        long unused[std::is_same_v<Count, freehold::local_count>    ? 1
                    : std::is_same_v<Count, freehold::atomic_count> ? 21
                    : std::is_same_v<Count, freehold::biased_count> ? 41
                                                                    : 61] = {};
    };
};
template <class Count>
struct intrusive : simple_kind {
    template <class T>
    struct base : freehold::intrusive_base<T, Count> {
        virtual ~base() = default;
    };
    template <class T>
    using handle = freehold::intrusive_ptr<T>;
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};
template <class Count>
struct intrusive_plain : simple_kind {
    // Here, too, each count has sizes of its own.
    template <class T>
    struct base : freehold::intrusive_base<T, Count>, arc_plain<Count>::template base<T> {};
    template <class T>
    using handle = freehold::intrusive_ptr<T>;
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};
template <class Count>
struct counted : simple_kind {
    template <class T>
    using handle = freehold::counted_ptr<T, Count>;
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};
template <class Count>
struct counted_pooled : simple_kind {
    template <class T>
    using handle = freehold::counted_ptr<T, Count, freehold::common_pool_allocator<std::byte>>;
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};
struct linked_kind : simple_kind {
    template <class T>
    using handle = freehold::linked_ptr<T>;
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};
struct cyclic_kind : simple_kind {
    template <class T>
    using handle = freehold::cyclic_ptr<T>;
    template <class T>
    using weak = freehold::weak_cyclic_ptr<T>;
    template <class T>
    static handle<T> make() {
        return freehold::make_cyclic<T>();
    }
};
struct cyclic_new_kind : cyclic_kind {
    template <class T>
    static handle<T> make() {
        return handle<T>(new T);
    }
};

using local = freehold::local_count;
using atomic = freehold::atomic_count;
using biased = freehold::biased_count;
using sharded = freehold::sharded_count;

// Each kind has a short name, so that the types of all compilers are named alike.
#define EACH_COUNT(use, kind)                                       \
    use(kind##_local, kind<local>) use(kind##_atomic, kind<atomic>) \
        use(kind##_biased, kind<biased>) use(kind##_sharded, kind<sharded>)
#ifdef ONE_COUNT
#define EACH_KIND(use)                                                                    \
    use(shared_made_sharded, shared_made<sharded>) use(arc_open_atomic, arc_open<atomic>) \
        use(arc_plain_local, arc_plain<local>) use(intrusive_biased, intrusive<biased>)   \
            use(intrusive_plain_atomic, intrusive_plain<atomic>)                          \
                use(counted_pooled_biased, counted_pooled<biased>) use(cyclic_made, cyclic_kind)
#else
#define EACH_KIND(use)               \
    EACH_COUNT(use, shared_made)     \
    EACH_COUNT(use, shared_new)      \
    EACH_COUNT(use, arc_open)        \
    EACH_COUNT(use, arc_plain)       \
    EACH_COUNT(use, intrusive)       \
    EACH_COUNT(use, intrusive_plain) \
    EACH_COUNT(use, counted)         \
    EACH_COUNT(use, counted_pooled)  \
    use(cyclic_made, cyclic_kind) use(cyclic_new, cyclic_new_kind)
#endif

#define NAME(name, kind) \
    struct name : kind {};
EACH_KIND(NAME)
