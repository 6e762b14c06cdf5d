// SPDX-License-Identifier: BSL-1.0
// What the module exports, used without a header of freehold's.
#include <algorithm>
#include <functional>
#include <vector>

import freehold;

namespace {

struct image : freehold::intrusive_base<image> {
    int pixels = 1;
};
struct node {
    freehold::cyclic_ptr<node> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

bool handles_work() {
    std::vector<freehold::shared_ptr<int>> shared;
    for (int i = 0; i < 5; ++i) shared.push_back(freehold::make_shared<int>(i));
    std::reverse(shared.begin(), shared.end());
    std::sort(shared.begin(), shared.end());
    swap(shared[0], shared[1]);
    const freehold::weak_ptr<int> weak = shared[2];
    const bool same = weak.lock() == shared[2] && shared[0] != nullptr &&
                      std::hash<freehold::shared_ptr<int>>()(shared[0]) != 0;
    shared.clear();
    const auto element = freehold::make_arc<int[], freehold::biased_count>(3, 7);
    freehold::atomic_arc<int> place(freehold::make_arc<int>(5));
    const freehold::intrusive_ptr<image> picture(new image);
    const freehold::counted_ptr<int> counted(new int(4));
    const freehold::linked_ptr<int> linked(new int(4));
    return same && weak.expired() && element[2] == 7 && *place.snapshot() == 5 &&
           picture->pixels == 1 && *counted == *linked;
}

bool cycles_are_collected() {
    auto ring = freehold::make_cyclic<node>();
    ring->next = ring;
    ring.reset();
    return freehold::collect_cycles() == 1;
}

bool pools_work() {
    freehold::pool pool({.block_size = 128});
    freehold::pool_resource resource(pool);
    void* const block = resource.allocate(100, 8);
    resource.deallocate(block, 100, 8);
    const auto object = freehold::allocate_arc<int>(freehold::pool_allocator<int>(pool), 6);
    return *object == 6 && pool.statistics().in_use == 1;
}

}  // namespace

int main() {
    return handles_work() && cycles_are_collected() && pools_work() ? 0 : 1;
}
