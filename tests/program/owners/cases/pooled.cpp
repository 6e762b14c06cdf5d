// SPDX-License-Identifier: BSL-1.0
// Blocks that pools have back, though all about them looks as if they were in use: counts of one
// owner, memory in use where their objects were, and the bytes of a handle. Only the pools tell.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using pool = freehold::common_pool_allocator<std::byte>;

struct counted {
    long numbers[11] = {};
};
struct pointed_at {
    std::string name;
    long numbers[7] = {};
};
using counted_handle = freehold::counted_ptr<counted, freehold::biased_count, pool>;
using arc_handle = freehold::arc<pointed_at>;

static counted_handle made(counted*) {
    return counted_handle(new counted, std::default_delete<counted>(), pool());
}
static arc_handle made(pointed_at*) {
    return freehold::allocate_arc<pointed_at>(pool());
}

template <class Handle>
struct left_over {
    alignas(Handle) std::byte bytes[sizeof(Handle)];
};
// Reachable for ever.
template <class Handle>
static auto& left = *new std::vector<left_over<Handle>>;
static auto& reused = *new std::vector<std::unique_ptr<counted>>;
static auto& kept = *new std::vector<counted_handle>;
static auto& kept_arcs = *new std::vector<arc_handle>;

template <class Handle, class T>
static void make_and_release(int number) {
    std::vector<Handle> all;
    for (int i = 0; i != number; ++i) {
        all.push_back(made(static_cast<T*>(nullptr)));
        std::memcpy(left<Handle>.emplace_back().bytes, &all.back(), sizeof(Handle));
    }
    all.clear();
    for (int i = 0; i != number; ++i) reused.push_back(std::make_unique<counted>());
}

static void make_and_release_all(int number) {
    make_and_release<counted_handle, counted>(number);
    make_and_release<arc_handle, pointed_at>(number);
}

int main() {
    // Free blocks are in the cache of this thread, in the magazines of the pool, and, those of a
    // thread that ended, in the pool's memory.
    make_and_release_all(2000);
    std::thread(make_and_release_all, 3000).join();
    make_and_release_all(40);
    for (int i = 0; i != 10; ++i) {
        kept.push_back(made(static_cast<counted*>(nullptr)));
        kept_arcs.push_back(made(static_cast<pointed_at*>(nullptr)));
    }
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
}
