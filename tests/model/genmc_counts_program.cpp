// SPDX-License-Identifier: BSL-1.0
// The program that GenMC interprets: for each scenario a function that it can begin with, for the
// count that FREEHOLD_MODEL_KIND names by its place in FREEHOLD_MODEL_KINDS. The counts are
// compiled from the headers that are shipped.
#include "model/genmc_memory.hpp"
#include "model/scenarios.hpp"
#include "model/sharded_scenarios.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail::weak_word {

// A count that terminates, because it was used at rest, fails the scenario.
void overflow() noexcept {
    model::require(false, "a count terminated the program, for it has overflowed");
    __builtin_unreachable();
}
void used_at_rest() noexcept {
    model::require(false, "a count terminated the program, for it was used at rest");
    __builtin_unreachable();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail::weak_word

namespace freehold::model {

constexpr const auto& counts = FREEHOLD_MODEL_KINDS;
constexpr const auto& all = FREEHOLD_MODEL_SCENARIOS;

template <std::size_t Scenario, std::size_t Thread>
void* run(void* stage) {
    constexpr part performed = all[Scenario].run[Thread];
    performed(*static_cast<world*>(stage));
    return nullptr;
}

// Its name is known to genmc_test.cpp.
template <std::size_t Scenario>
void perform() {
    constexpr const scenario& performed = all[Scenario];
    world stage(counts[FREEHOLD_MODEL_KIND], performed.objects);
    begin(stage, performed);
    const long first = __VERIFIER_thread_create(nullptr, run<Scenario, 0>, &stage);
    const long second = __VERIFIER_thread_create(nullptr, run<Scenario, 1>, &stage);
    const long third = __VERIFIER_thread_create(nullptr, run<Scenario, 2>, &stage);
    __VERIFIER_thread_join(first);
    __VERIFIER_thread_join(second);
    __VERIFIER_thread_join(third);
    finish(stage, performed);
}

template <std::size_t... Scenarios>
constexpr auto performances_of(std::index_sequence<Scenarios...>) {
    return std::array{&perform<Scenarios>...};
}
[[gnu::used]] constinit auto performances = performances_of(std::make_index_sequence<all.size()>());

}  // namespace freehold::model
