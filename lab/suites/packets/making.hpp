// SPDX-License-Identifier: BSL-1.0
// The ways to make a packet with its owner: first the article's six in its order, then others. Each
// is a class with its identity and `make<Packet>(pool)`, whose result owns the packet. The cases
// `six_ways` time the ways. The cases `zeroing_probe` examine the code that compilers make of them.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/handles/std_make_shared.hpp"
#include "subjects/shared_identities.hpp"

#include <memory>
#include <new>

namespace lab::packets {

struct destroy_and_give_back {
    freehold::pool* from;

    template <class Packet>
    void operator()(Packet* packet) const noexcept {
        std::destroy_at(packet);
        from->deallocate(packet);
    }
};

struct give_back {
    freehold::pool* from;

    void operator()(void* block) const noexcept { from->deallocate(block); }
};

template <class Packet>
freehold::pool_allocator<Packet> allocator_of(freehold::pool& from) {
    return freehold::pool_allocator<Packet>(from);
}

struct std_shared_ptr_new {
    static constexpr identity is = identities::std_shared_ptr_new;
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::shared_ptr<Packet>(new Packet);
    }
};

struct std_make_shared {
    static constexpr identity is = handles::std_make_shared::is;
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::make_shared<Packet>();
    }
};

struct std_shared_ptr_pool {
    static constexpr identity is = {
        .name = "std::shared_ptr(pool, deleter)", .family = family::standard, .order = 14};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::shared_ptr<Packet>(::new (from.allocate()) Packet,
                                       destroy_and_give_back{&from});
    }
};

struct std_allocate_shared {
    static constexpr identity is = {
        .name = "std::allocate_shared(pool)", .family = family::standard, .order = 15};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::allocate_shared<Packet>(allocator_of<Packet>(from));
    }
};

struct new_and_delete {
    static constexpr identity is = identities::new_and_delete;
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::unique_ptr<Packet>(new Packet);
    }
};

/// Takes a block, and makes no object in it.
struct pool_alone {
    static constexpr identity is = identities::freehold_pool;
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::unique_ptr<Packet, give_back>(static_cast<Packet*>(from.allocate()),
                                                  give_back{&from});
    }
};

/// If the standard library has no such function, this class and the next make nothing, and their
/// identities say why.
struct std_make_shared_for_overwrite {
    static constexpr identity is = identities::std_make_shared_for_overwrite;
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::make_shared_for_overwrite<Packet>();
    }
#endif
};

struct std_allocate_shared_for_overwrite {
    static constexpr identity is = {.name = "std::allocate_shared_for_overwrite(pool)",
                                    .family = family::standard,
                                    .order = 16,
                                    .missing = identities::why_no_for_overwrite};
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::allocate_shared_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
#endif
};

struct freehold_make_shared {
    static constexpr identity is = handles::freehold_make_shared::is;
    template <class Packet>
    static auto make(freehold::pool&) {
        return freehold::make_shared<Packet>();
    }
};

struct freehold_make_shared_for_overwrite {
    static constexpr identity is = {
        .name = "freehold::make_shared_for_overwrite", .family = family::freehold, .order = 28};
    template <class Packet>
    static auto make(freehold::pool&) {
        return freehold::make_shared_for_overwrite<Packet>();
    }
};

struct freehold_allocate_shared {
    static constexpr identity is = {
        .name = "freehold::allocate_shared(pool)", .family = family::freehold, .order = 29};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_shared<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_shared_for_overwrite {
    static constexpr identity is = {.name = "freehold::allocate_shared_for_overwrite(pool)",
                                    .family = family::freehold,
                                    .order = 30};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_shared_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_arc {
    static constexpr identity is = {
        .name = "freehold::allocate_arc(pool)", .family = family::freehold, .order = 31};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_arc<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_arc_for_overwrite {
    static constexpr identity is = {.name = "freehold::allocate_arc_for_overwrite(pool)",
                                    .family = family::freehold,
                                    .order = 33};
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_arc_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
};

}  // namespace lab::packets
