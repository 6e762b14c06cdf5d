// SPDX-License-Identifier: BSL-1.0
// All public headers, and every member of their templates, for compilers that warn of everything.
#include "all_headers.hpp"

#include <cstddef>
#include <string>

namespace {

struct base {
    virtual ~base() = default;
};
struct derived final : base, freehold::enable_shared_from_this<derived> {};
struct image : freehold::intrusive_base<image> {};
struct local_image : freehold::intrusive_base<local_image, freehold::local_count> {};
struct node {
    freehold::cyclic_ptr<node> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

template <class Count>
bool counted_handles_work() {
    const freehold::shared_ptr<base, Count> object(new derived);
    const freehold::weak_ptr<base, Count> weak = object;
    const auto elements = freehold::make_shared<int[], Count>(3);
    const auto text = freehold::make_arc<std::string, Count>("text");
    const freehold::weak_arc<std::string, Count> weak_text = text;
    const auto numbers = freehold::make_arc<int[], Count>(std::size_t{3});
    const freehold::counted_ptr<int, Count> counted(new int(4));
    return weak.lock() == object && elements[0] == numbers[0] && weak_text.lock() == text &&
           *counted == 4;
}

bool cycles_are_collected() {
    auto ring = freehold::make_cyclic<node>();
    ring->next = ring;
    const freehold::weak_cyclic_ptr<node> weak = ring;
    ring.reset();
    return freehold::collect_cycles() == 1 && weak.expired();
}

}  // namespace

bool headers_work();
bool headers_work() {
    const freehold::linked_ptr<int> linked(new int(5));
    return counted_handles_work<freehold::atomic_count>() &&
           counted_handles_work<freehold::local_count>() &&
           counted_handles_work<freehold::biased_count>() &&
           counted_handles_work<freehold::sharded_count>() && cycles_are_collected() &&
           *linked == 5;
}

template class freehold::shared_ptr<int>;
template class freehold::shared_ptr<int[], freehold::local_count>;
template class freehold::weak_ptr<int, freehold::biased_count>;
template class freehold::weak_ptr<int, freehold::sharded_count>;
// clang++ before 16 instantiates members whose constraints are not met.
#if !defined(__clang__) || __clang_major__ >= 16
template class freehold::arc<int>;
template class freehold::arc<int[], freehold::local_count>;
#endif
template class freehold::weak_arc<int, freehold::biased_count>;
template class freehold::anchor<freehold::arc<int, freehold::sharded_count>>;
template class freehold::detail::atomic_handle<freehold::arc<int, freehold::sharded_count>>;
template class freehold::detail::atomic_handle<freehold::shared_ptr<int>>;
template class freehold::detail::atomic_handle<freehold::arc<int>>;
template class freehold::snapshot_ptr<freehold::arc<int>>;
template class freehold::intrusive_ptr<image>;
template class freehold::intrusive_ptr<local_image>;
template class freehold::counted_ptr<int>;
template class freehold::linked_ptr<int>;
template class freehold::cyclic_ptr<node>;
template class freehold::weak_cyclic_ptr<node>;
template class freehold::dumb_ptr<int>;
template class freehold::pool_allocator<long>;
template class freehold::common_pool_allocator<long>;
template class freehold::common_pool<64>;
template class freehold::default_init_allocator<int>;
#if !FREEHOLD_HEADER_ONLY
template class freehold::buffer_cache<freehold::geometric_buckets>;
template class freehold::buffer_cache<freehold::greedy_dual_fit>;
#endif
#if !FREEHOLD_HEADER_ONLY && !defined(_WIN32)
template class freehold::line_cache<freehold::file_source>;
template class freehold::disk_tier<freehold::file_source>;
#endif
