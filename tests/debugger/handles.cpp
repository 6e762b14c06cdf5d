// SPDX-License-Identifier: BSL-1.0
// One handle of each kind, in states that printers.cmake has gdb show.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/freehold.hpp>
#include <freehold/line/file_source.hpp>
#include <freehold/line/line_cache.hpp>

struct image : freehold::intrusive_base<image> {
    int width = 3;
};
struct shape {
    virtual ~shape() = default;
    int sides = 4;
};
struct node {
    freehold::cyclic_ptr<node> next;
    int value = 7;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

void stop_here() {
    asm volatile("");
}

int main() {
    const auto shared = freehold::make_shared<int>(42);
    const auto second = shared;
    const freehold::weak_ptr<int> weak = shared;
    const freehold::weak_ptr<int> gone = freehold::make_shared<int>(1);
    const freehold::shared_ptr<int> empty;
    const freehold::shared_ptr<int, freehold::local_count> local(new int(5));
    const auto biased = freehold::make_shared<int, freehold::biased_count>(6);
    const auto sharded = freehold::make_shared<int, freehold::sharded_count>(12);
    const freehold::weak_ptr<int, freehold::sharded_count> sharded_weak = sharded;
    const auto one = freehold::make_arc<long>(11);
    const freehold::weak_arc<long> one_weak = one;
    const auto derived = freehold::make_arc<shape>();
    const auto many = freehold::make_arc<int[]>(3);
    const freehold::intrusive_ptr<image> picture(new image);
    const freehold::counted_ptr<int> counted(new int(8));
    const freehold::linked_ptr<int> linked(new int(9));
    const auto ring = freehold::make_cyclic<node>();
    freehold::dumb_ptr<const shape> dumb(&*derived);
    freehold::pool pool({.block_size = 64, .name = "packets"});
    freehold::buffer_cache<> buffers({.max_idle = 1 << 20, .name = "packets"});
    buffers.put(buffers.get(1000));
    freehold::file_source files("/");
    freehold::line_cache lines(files, {.line_size = 1 << 20, .capacity = std::size_t{8} << 20});
    stop_here();
}
