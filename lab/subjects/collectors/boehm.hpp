// SPDX-License-Identifier: BSL-1.0
// Boehm's conservative collector with its default settings: not incremental, no destructors.
// Collections run when memory is requested. Nothing happens when a handle is dropped.
#pragma once

#include "subjects/collector.hpp"

#ifdef FREEHOLD_LAB_HAS_BOEHM
#include <new>

#include <gc.h>
#include <gc/gc_allocator.h>
#endif

namespace lab::collectors {

#ifdef FREEHOLD_LAB_HAS_BOEHM
inline constexpr origin boehm_library = {"Boehm", LAB_BOEHM_VERSION, ""};
#else
inline constexpr origin boehm_library = {"Boehm", "",
                                         "install Boehm's collector (Debian: libgc-dev)"};
#endif

struct boehm : collector_subject {
    static constexpr identity is = {
        .name = "Boehm", .family = family::other, .order = 15, .from = &boehm_library};

#ifdef FREEHOLD_LAB_HAS_BOEHM
    template <class T>
    using handle = T*;

    /// The collector scans only its own memory, the stacks and the static data.
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
#endif
};

}  // namespace lab::collectors
