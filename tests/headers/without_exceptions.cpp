// SPDX-License-Identifier: BSL-1.0
// A handle of each kind and the pools, for a program that is compiled with -fno-exceptions or
// -fno-rtti. With an argument it makes an owner of an object that is gone.
#include <freehold/freehold.hpp>

#include <cstdlib>
#include <exception>

namespace {

struct shape {
    virtual ~shape() = default;
};
struct square : shape, freehold::enable_shared_from_this<square> {};
struct image : freehold::intrusive_base<image> {};
struct node {
    freehold::cyclic_ptr<node> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

bool handles_work() {
    const freehold::shared_ptr<shape> derived = freehold::make_shared<square>();
    const freehold::weak_ptr<shape> weak = derived;
    const freehold::shared_ptr<int> from_pointer(new int(1), [](const int* it) { delete it; });
    const auto elements = freehold::make_shared<int[]>(3);
    const auto local = freehold::make_shared<int, freehold::local_count>(1);
    const auto biased = freehold::make_arc<int, freehold::biased_count>(2);
    const freehold::shared_ptr<int> shared = freehold::make_arc<int>(3);
    const freehold::intrusive_ptr<image> picture(new image);
    const freehold::counted_ptr<int> counted(new int(4));
    const freehold::linked_ptr<int> linked(new int(5));
    auto ring = freehold::make_cyclic<node>();
    ring->next = ring;
    ring.reset();
    return weak.lock() == derived && *from_pointer + elements[0] == 1 && *local + *biased == 3 &&
           *shared == 3 && picture->use_count() == 1 && *counted + *linked == 9 &&
           freehold::collect_cycles() == 1;
}

bool pools_work() {
    freehold::pool pool({.block_size = 128});
    freehold::pool_resource resource(pool);
    void* const block = resource.allocate(100, 8);
    resource.deallocate(block, 100, 8);
    const auto object = freehold::allocate_arc<int>(freehold::pool_allocator<int>(pool), 6);
    return *object == 6 && resource.is_equal(resource);
}

}  // namespace

int main(int argc, char**) {
    if (argc > 1) {
        std::set_terminate([] { std::_Exit(3); });
        const freehold::weak_ptr<int> expired = freehold::make_shared<int>(1);
        const freehold::shared_ptr<int> owner(expired);
    }
    return handles_work() && pools_work() ? 0 : 1;
}
