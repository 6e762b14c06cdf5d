// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/arc.hpp>

#include "subjects/shared_identities.hpp"
#include "suites/packets/blocks.hpp"
#include "suites/packets/preallocated.hpp"
#include "suites/packets/thread_local_list.hpp"

#include <memory>

namespace lab::packets {
namespace {

constexpr identity lower_bound_arc = {
    .name = "lower bound, arc", .family = family::lower_bound, .order = 9};

void add_lower_bounds(plan& into, const selection& chosen) {
    using std_handles = preallocated_handles<std::shared_ptr<packet>, std::make_shared<packet>>;
    using arcs = preallocated_handles<freehold::arc<packet>, freehold::make_arc<packet>>;
    if (chosen.wants(identities::lower_bound)) {
        const std::string key = key_of(identities::lower_bound.name);
        add_kernels(into, key, same_thread_kernels<thread_local_list>());
        add_kernels(into, key, across_kernels<preallocated>());
        add_kernels(into, key, shared_across_kernels<std_handles>());
    }
    if (chosen.wants(lower_bound_arc)) {
        add_kernels(into, key_of(lower_bound_arc.name), shared_across_kernels<arcs>());
    }
}

const registration here("packets", add_lower_bounds,
                        subjects_of({identities::lower_bound, lower_bound_arc}));

}  // namespace
}  // namespace lab::packets
