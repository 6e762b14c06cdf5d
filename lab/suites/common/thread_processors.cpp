// SPDX-License-Identifier: BSL-1.0
#include "suites/common/thread_processors.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace lab {

std::vector<int> usable_processors() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
    std::vector<int> usable;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (CPU_ISSET(processor, &allowed)) usable.push_back(processor);
    }
    // The list of a core's processors, such as "0,4" or "0-1", begins with the first of them.
    std::stable_partition(usable.begin(), usable.end(), [](int processor) {
        std::ifstream core("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                           "/topology/thread_siblings_list");
        int first = processor;
        core >> first;
        return first == processor;
    });
    return usable;
}

std::vector<std::size_t> thread_counts() {
    const std::size_t most = std::max(2u, std::thread::hardware_concurrency());
    std::vector<std::size_t> counts;
    for (std::size_t count = 1; count < most; count *= 2) counts.push_back(count);
    counts.push_back(most);
    return counts;
}

processors processors_of(std::size_t threads) {
    return usable_processors().size() < threads ? processors::shared : processors::own;
}

kept_on_processor::kept_on_processor(std::optional<int> processor) {
    if (!processor || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(*processor, &only);
    kept_ = sched_setaffinity(0, sizeof only, &only) == 0;
}

kept_on_processor::~kept_on_processor() {
    if (kept_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace lab
