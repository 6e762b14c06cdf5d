// SPDX-License-Identifier: BSL-1.0
// The lab's kernels of `buffers`, as the cells of a peer whose malloc is another library's.
#pragma once

#include "peers/host.hpp"
#include "peers/malloc_file.hpp"
#include "suites/buffers/times.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lab::buffers {

inline hosted_cell cell_of(const std::string& competitor, const char* test, std::int64_t size,
                           void (*kernel)(hosted_state&, std::size_t)) {
    const auto measure = [kernel, size](std::int64_t iterations) {
        hosted_state state(iterations);
        kernel(state, static_cast<std::size_t>(size));
        return state.seconds();
    };
    return {"buffers", competitor, test, "ns", each_of_them, measure, size};
}

inline std::vector<hosted_cell> cells_of(const std::string& competitor) {
    std::vector<hosted_cell> cells;
    for (const std::int64_t size : sizes_on_one_thread) {
        cells.push_back(cell_of(competitor, get_and_put_test, size, get_and_put<by_malloc>));
    }
    for (const std::int64_t size : sizes_across_threads) {
        cells.push_back(
            cell_of(competitor, across_threads_test, size, returned_across_threads<by_malloc>));
    }
    return cells;
}

/// The peer of a library that is called `competitor`, as the name of its file says too.
inline hosted_peer malloc_peer(const char* competitor, std::string version) {
    hosted_peer peer{cells_of(competitor), {{competitor, std::move(version)}}};
    peer.missing = why_not_its_malloc(competitor);
    return peer;
}

}  // namespace lab::buffers
