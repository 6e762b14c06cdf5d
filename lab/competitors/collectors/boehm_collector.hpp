// SPDX-License-Identifier: BSL-1.0
// Boehm's conservative collector with its default settings: not incremental, no destructors.
// Collections happen where memory is asked for; nothing is done when a handle is dropped.
#pragma once

#include "competitors/collectors/collector.hpp"

#ifdef FREEHOLD_LAB_HAS_BOEHM
#include <new>

#include <gc.h>
#include <gc/gc_allocator.h>
#endif

namespace lab {

struct boehm_collector : collector {
    static constexpr const char* name = "Boehm";

#ifdef FREEHOLD_LAB_HAS_BOEHM
    template <class T>
    using handle = T*;

    /// The collector sees no memory but its own, the stacks and the static data.
    template <class Handle>
    using allocator = traceable_allocator<Handle>;

    template <class T>
    static T* make() {
        void* const place = GC_MALLOC(sizeof(T));
        if (place == nullptr) throw std::bad_alloc();
        return ::new (place) T;
    }

    static void start() { GC_INIT(); }

    static void settle() { GC_gcollect(); }
#else
    static constexpr const char* missing = "install Boehm's collector (Debian: libgc-dev)";
#endif
};

}  // namespace lab
