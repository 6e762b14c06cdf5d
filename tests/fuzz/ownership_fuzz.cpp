// SPDX-License-Identifier: BSL-1.0
// For libFuzzer: the first byte chooses the strategy, the others are the program.
#include "fuzz/every_strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace freehold::fuzz;
    if (size == 0) return -1;
    run_on_each_strategy[data[0] % std::size(run_on_each_strategy)](program(data + 1, size - 1));
    return 0;
}
