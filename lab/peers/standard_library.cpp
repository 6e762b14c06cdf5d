// SPDX-License-Identifier: BSL-1.0
// The standard library's shared_ptr where that library is not the lab's own: the lab's kernels,
// compiled with it.
#include "competitors/std_make_shared.hpp"
#include "competitors/std_shared_ptr.hpp"
#include "peers/host.hpp"
#include "suites/making.hpp"
#include "suites/operations_in_a_row.hpp"

#include <cstdint>
#include <vector>

namespace {

template <void (*Kernel)(lab::hosted_state&)>
double measure(std::int64_t iterations) {
    lab::hosted_state state(iterations);
    Kernel(state);
    return state.seconds();
}

template <class Competitor>
void add(std::vector<lab::hosted_cell>& cells, const char* name) {
    using state = lab::hosted_state;
    constexpr double each_operation = 1e9 / lab::operations_per_reading;
    constexpr double each_made = 1e9 / lab::batch_size;
    cells.insert(cells.end(), {
                                  {"operations", name, "copy", "ns", each_operation,
                                   measure<lab::copy_and_release<Competitor, state>>},
                                  {"operations", name, "move", "ns", each_operation,
                                   measure<lab::move_and_release<Competitor, state>>},
                                  {"operations", name, "lock", "ns", each_operation,
                                   measure<lab::lock_and_release<Competitor, state>>},
                                  {"construction", name, "one", "ns", each_made,
                                   measure<lab::one<Competitor, state>>},
                                  {"construction", name, "1024 alive", "ns", each_made,
                                   measure<lab::many<Competitor, state>>},
                              });
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<lab::hosted_cell> cells;
    add<lab::std_shared_ptr>(cells, "std::shared_ptr, libc++");
    add<lab::std_make_shared>(cells, "std::make_shared, libc++");
    return lab::host(argc, argv, cells);
}
