// SPDX-License-Identifier: BSL-1.0
// The ways to make a packet that the tests `six ways` time and the tests `zeroing probe` look into:
// the seed's six, and then the library's and those that leave the packet as the memory was. Each is
// a class with a name and `make<Packet>(pool)`, whose result owns the packet.
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include <memory>
#include <new>

namespace lab::packets {

struct back_to_pool {
    freehold::pool* from;

    template <class Packet>
    void operator()(Packet* packet) const noexcept {
        packet->~Packet();
        from->deallocate(packet);
    }
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
        return std::shared_ptr<Packet>(::new (from.allocate()) Packet, back_to_pool{&from});
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

struct pool_alone {
    static constexpr const char* name = "freehold::pool";
    template <class Packet>
    static auto make(freehold::pool& from) {
        return std::unique_ptr<Packet, back_to_pool>(::new (from.allocate()) Packet,
                                                     back_to_pool{&from});
    }
};

// Where the standard library does not have these, they say so instead of making anything.
struct std_make_shared_for_overwrite {
    static constexpr const char* name = "std::make_shared_for_overwrite";
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <class Packet>
    static auto make(freehold::pool&) {
        return std::make_shared_for_overwrite<Packet>();
    }
#else
    static constexpr const char* missing = "this standard library does not have it yet";
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
    static constexpr const char* missing = "this standard library does not have it yet";
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
