// SPDX-License-Identifier: BSL-1.0
// The ways to make a packet with its owner: the seed's six in its order, then those that there are
// beside them. Each is a class with a name and `make<Packet>(pool)`, whose result owns the packet.
// The tests `six ways` time them, and the tests `zeroing probe` look into what they are compiled
// to.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

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
    static constexpr const char* name = "std::shared_ptr(new)";
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::shared_ptr<Packet>(new Packet);
    }
};

struct std_make_shared {
    static constexpr const char* name = "std::make_shared";
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::make_shared<Packet>();
    }
};

struct std_shared_ptr_pool {
    static constexpr const char* name = "std::shared_ptr(pool, deleter)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::shared_ptr<Packet>(::new (from.allocate()) Packet,
                                       destroy_and_give_back{&from});
    }
};

struct std_allocate_shared {
    static constexpr const char* name = "std::allocate_shared(pool)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::allocate_shared<Packet>(allocator_of<Packet>(from));
    }
};

struct new_and_delete {
    static constexpr const char* name = "new and delete";
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::unique_ptr<Packet>(new Packet);
    }
};

/// A block, in which nothing is made.
struct pool_alone {
    static constexpr const char* name = "freehold::pool";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::unique_ptr<Packet, give_back>(static_cast<Packet*>(from.allocate()),
                                                  give_back{&from});
    }
};

/// Where the standard library has it not, this and the next say so instead of making anything.
struct std_make_shared_for_overwrite {
    static constexpr const char* name = "std::make_shared_for_overwrite";
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::make_shared_for_overwrite<Packet>();
    }
#else
    static constexpr const char* missing = "this version of the standard library does not have it";
#endif
};

struct std_allocate_shared_for_overwrite {
    static constexpr const char* name = "std::allocate_shared_for_overwrite(pool)";
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::allocate_shared_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
#else
    static constexpr const char* missing = "this version of the standard library does not have it";
#endif
};

template <class Way>
concept missing_way = requires { Way::missing; };

struct freehold_make_shared {
    static constexpr const char* name = "freehold::make_shared";
    template <class Packet>
    static auto make(freehold::pool&) {
        return freehold::make_shared<Packet>();
    }
};

struct freehold_make_shared_for_overwrite {
    static constexpr const char* name = "freehold::make_shared_for_overwrite";
    template <class Packet>
    static auto make(freehold::pool&) {
        return freehold::make_shared_for_overwrite<Packet>();
    }
};

struct freehold_allocate_shared {
    static constexpr const char* name = "freehold::allocate_shared(pool)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_shared<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_shared_for_overwrite {
    static constexpr const char* name = "freehold::allocate_shared_for_overwrite(pool)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_shared_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_arc {
    static constexpr const char* name = "freehold::allocate_arc(pool)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_arc<Packet>(allocator_of<Packet>(from));
    }
};

struct freehold_allocate_arc_for_overwrite {
    static constexpr const char* name = "freehold::allocate_arc_for_overwrite(pool)";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return freehold::allocate_arc_for_overwrite<Packet>(allocator_of<Packet>(from));
    }
};

}  // namespace lab::packets
