// SPDX-License-Identifier: BSL-1.0
// The strategies that obey the model of ownership: all but those that find rings.
#pragma once

#include "fuzz/ownership_machine.hpp"
#include "handle/strategies.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace freehold::fuzz {

using program = std::span<const std::uint8_t>;

template <class Strategy>
void run(program bytes) {
    ownership_machine<Strategy>().run(bytes);
}

inline constexpr void (*run_on_each_strategy[])(program) = {
    run<contracts::shared_atomic>,
    run<contracts::shared_local>,
    run<contracts::shared_biased>,
    run<contracts::shared_sharded>,
    run<contracts::arc_atomic>,
    run<contracts::arc_local>,
    run<contracts::arc_biased>,
    run<contracts::arc_sharded>,
    run<contracts::simple_counted>,
    run<contracts::special_counted_atomic>,
    run<contracts::intrusive>,
    run<contracts::intrusive_atomic>,
    run<contracts::intrusive_by_functions>,
    run<contracts::linked>,
};

}  // namespace freehold::fuzz
