// SPDX-License-Identifier: BSL-1.0
#include "analyse/comparison.hpp"

#include "simulated_noise.hpp"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace comparison_test {
namespace {

using namespace freehold::analyse;
using freehold::test::noise_levels;
using freehold::test::noisy_machine;

// A suite of 16 competitors, 6 sizes each; every other competitor is a control.
constexpr std::size_t competitors = 16;
constexpr std::size_t sizes = 6;

std::vector<double> truths() {
    std::vector<double> values;
    for (std::size_t c = 0; c != competitors; ++c) {
        for (std::size_t n = 0; n != sizes; ++n) {
            values.push_back(10.0 + static_cast<double>(3 * c) + static_cast<double>(n * n));
        }
    }
    return values;
}

struct protocol {
    std::size_t processes = 5;
    std::size_t repetitions = 10;
};

std::vector<compared_cell> measured_twice(unsigned seed, const std::vector<double>& base,
                                          const std::vector<double>& changed,
                                          noise_levels levels = {}, protocol how = {}) {
    noisy_machine machine(seed, levels);
    auto first = machine.measure(base, how.processes, how.repetitions);
    auto second = machine.measure(changed, how.processes, how.repetitions);
    std::vector<compared_cell> cells;
    for (std::size_t i = 0; i != base.size(); ++i) {
        cells.push_back({.setting = "g++, threaded",
                         .family = "operations",
                         .control = i / sizes % 2 == 0,
                         .exact = false,
                         .base = std::move(first[i]),
                         .changed = std::move(second[i])});
    }
    return cells;
}

std::size_t count(const comparison& result, verdict wanted) {
    std::size_t found = 0;
    for (const auto& cell : result.cells) found += cell.outcome == wanted;
    return found;
}

TEST(comparison, a_thing_with_itself_has_not_changed) {
    int all_unchanged = 0;
    for (unsigned seed = 0; seed != 100; ++seed) {
        const auto result = compare(measured_twice(seed, truths(), truths()));
        all_unchanged += count(result, verdict::no_change) == result.cells.size();
    }
    EXPECT_GE(all_unchanged, 95);
}

TEST(comparison, finds_a_regression_of_5_percent_in_noise_of_2_percent) {
    auto slower = truths();
    const std::size_t victim = 3 * sizes + 2;
    slower[victim] *= 1.05;
    int found = 0;
    int blamed_another = 0;
    for (unsigned seed = 0; seed != 100; ++seed) {
        const auto result = compare(measured_twice(seed, truths(), slower));
        found += result.cells[victim].outcome == verdict::slower;
        blamed_another += count(result, verdict::slower) + count(result, verdict::faster) >
                          (result.cells[victim].outcome == verdict::slower ? 1U : 0U);
    }
    EXPECT_GE(found, 95);
    EXPECT_LE(blamed_another, 5);
}

TEST(comparison, finds_an_improvement_with_its_size) {
    auto faster = truths();
    faster[7 * sizes] *= 0.8;
    const auto result = compare(measured_twice(1, truths(), faster));
    const auto& cell = result.cells[7 * sizes];
    EXPECT_EQ(cell.outcome, verdict::faster);
    EXPECT_NEAR(cell.change, -0.2, 0.02);
    EXPECT_LT(cell.bounds.low, -0.2 + 0.02);
    EXPECT_GT(cell.bounds.high, -0.2 - 0.02);
    EXPECT_EQ(count(result, verdict::slower), 0U);
}

/// A set of the second size's cells lasts longer by this factor in the second set.
std::vector<compared_cell> with_a_disturbed_family(unsigned seed, double factor) {
    auto cells = measured_twice(seed, truths(), truths());
    for (std::size_t i = 0; i != cells.size(); ++i) {
        cells[i].family = i % sizes == 1 ? "disturbed" : "calm";
        if (i % sizes != 1) continue;
        for (auto& process : cells[i].changed)
            for (double& sample : process) sample *= factor;
    }
    return cells;
}

TEST(comparison, what_disturbs_a_family_and_its_controls_is_no_change_of_the_others) {
    int all_unchanged = 0;
    for (unsigned seed = 0; seed != 50; ++seed) {
        const auto result = compare(with_a_disturbed_family(seed, 1.15));
        all_unchanged += count(result, verdict::no_change) == result.cells.size();
    }
    EXPECT_GE(all_unchanged, 45);
}

TEST(comparison, a_family_whose_controls_changed_by_more_than_a_fifth_is_too_noisy) {
    const auto result = compare(with_a_disturbed_family(1, 1.5));
    for (std::size_t i = 0; i != result.cells.size(); ++i) {
        EXPECT_EQ(result.cells[i].outcome, i % sizes == 1 ? verdict::too_noisy : verdict::no_change)
            << i;
    }
}

TEST(comparison, too_few_controls_of_a_family_take_nothing_out) {
    auto cells = with_a_disturbed_family(1, 1.15);
    int controls = 0;
    for (auto& cell : cells) {
        if (cell.family == "disturbed" && cell.control) cell.control = ++controls <= 2;
    }
    const auto result = compare(cells);
    EXPECT_EQ(result.cells[1].outcome, verdict::slower);
}

/// Two programs, each measured in six processes that run three placements in turn. The times of a
/// cell differ by 10 % between placements: alike in both programs, or differently.
std::vector<compared_cell> measured_in_placements(unsigned seed, bool same_program) {
    constexpr std::size_t placements = 3;
    const noise_levels levels{.repetition = 0.008, .process = 0.01, .cell_in_process = 0.003};
    auto cells = measured_twice(seed, truths(), truths(), levels, {2 * placements, 1});
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> effect(0, 0.1);
    const auto move = [](samples_by_process& samples, std::size_t placement, double by) {
        for (std::size_t p = placement; p < samples.size(); p += placements)
            for (double& sample : samples[p]) sample *= std::exp(by);
    };
    for (auto& cell : cells) {
        cell.placements = placements;
        for (std::size_t placement = 0; placement != placements; ++placement) {
            const double base = effect(generator);
            move(cell.base, placement, base);
            move(cell.changed, placement, same_program ? base : effect(generator));
        }
    }
    return cells;
}

TEST(comparison, the_place_of_the_code_is_no_change) {
    int blamed = 0;
    for (unsigned seed = 0; seed != 100; ++seed) {
        const auto result = compare(measured_in_placements(seed, false));
        blamed += count(result, verdict::slower) + count(result, verdict::faster) > 0;
    }
    EXPECT_LE(blamed, 5);
}

TEST(comparison, figures_of_placements_are_the_means_of_their_lowest_times) {
    auto cells = measured_in_placements(1, true);
    cells[0].base = {{8}, {4}, {2}, {9}, {3}, {5}};     // the lowest are 8, 3 and 2
    cells[0].changed = {{9}, {3}, {6}, {8}, {4}, {2}};  // and 8, 3 and 2
    const auto cell = compare(cells).cells[0];
    EXPECT_NEAR(cell.base, std::cbrt(8.0 * 3 * 2), 1e-9);
    EXPECT_NEAR(cell.changed, cell.base, 1e-9);
}

TEST(comparison, the_same_placements_are_compared_with_each_other) {
    std::size_t unchanged = 0;
    std::size_t cells = 0;
    for (unsigned seed = 0; seed != 20; ++seed) {
        const auto result = compare(measured_in_placements(seed, true));
        EXPECT_EQ(count(result, verdict::slower) + count(result, verdict::faster), 0U) << seed;
        unchanged += count(result, verdict::no_change);
        cells += result.cells.size();
    }
    EXPECT_GE(unchanged, cells * 9 / 10);
}

TEST(comparison, large_noise_and_few_samples_are_too_noisy_to_tell) {
    const noise_levels loud{.repetition = 0.2, .process = 0.05, .cell_in_process = 0.05};
    const auto result = compare(measured_twice(1, truths(), truths(), loud, {2, 3}));
    EXPECT_GE(count(result, verdict::too_noisy), result.cells.size() * 9 / 10);
    EXPECT_EQ(count(result, verdict::slower) + count(result, verdict::faster), 0U);
}

// Only the repetitions can be compared then; the result says that it rests on one process.
TEST(comparison, one_process_each_is_judged_by_its_repetitions) {
    const noise_levels levels{.repetition = 0.02, .process = 0.02, .cell_in_process = 0};
    auto slower = truths();
    slower[3 * sizes] *= 1.1;
    const auto result = compare(measured_twice(1, truths(), slower, levels, {1, 30}));
    EXPECT_EQ(result.cells[3 * sizes].outcome, verdict::slower);
    EXPECT_EQ(count(result, verdict::no_change), result.cells.size() - 1);
    EXPECT_TRUE(result.shifts.at(0).one_process);
    EXPECT_FALSE(compare(measured_twice(1, truths(), slower)).shifts.at(0).one_process);
    const auto single = compare(measured_twice(1, truths(), truths(), levels, {1, 1}));
    EXPECT_EQ(count(single, verdict::too_noisy), single.cells.size());
}

TEST(comparison, a_machine_that_slowed_down_is_no_regression) {
    auto slower = truths();
    for (double& value : slower) value *= 1.3;
    const auto result = compare(measured_twice(2, truths(), slower));
    EXPECT_EQ(count(result, verdict::no_change), result.cells.size());
    ASSERT_EQ(result.shifts.size(), 1U);
    EXPECT_EQ(result.shifts[0].setting, "g++, threaded");
    EXPECT_NEAR(result.shifts[0].change, 0.3, 0.03);
    EXPECT_LT(result.shifts[0].bounds.low, result.shifts[0].change);
    EXPECT_GT(result.shifts[0].bounds.high, result.shifts[0].change);
}

// All that the library provides became slower: the controls tell it from a slower machine, and a
// regression on a faster machine is still one.
TEST(comparison, a_regression_of_all_but_the_controls_is_found) {
    auto changed = truths();
    for (std::size_t i = 0; i != changed.size(); ++i) {
        changed[i] *= i / sizes % 2 == 0 ? 0.9 : 0.9 * 1.1;
    }
    const auto cells = measured_twice(3, truths(), changed);
    const auto result = compare(cells);
    for (std::size_t i = 0; i != cells.size(); ++i) {
        EXPECT_EQ(result.cells[i].outcome, cells[i].control ? verdict::no_change : verdict::slower)
            << i;
    }
}

TEST(comparison, exact_cells_are_compared_exactly) {
    const auto exact = [](double base, double changed) {
        return compared_cell{.setting = "s",
                             .family = "footprint",
                             .control = false,
                             .exact = true,
                             .base = {{base}},
                             .changed = {{changed}}};
    };
    const std::vector<compared_cell> cells{exact(16, 16), exact(16, 17), exact(16, 8), exact(0, 0),
                                           exact(0, 8)};
    const auto result = compare(cells);
    EXPECT_EQ(result.cells[0].outcome, verdict::no_change);
    EXPECT_EQ(result.cells[1].outcome, verdict::slower);
    EXPECT_DOUBLE_EQ(result.cells[1].change, 0.0625);
    EXPECT_EQ(result.cells[2].outcome, verdict::faster);
    EXPECT_EQ(result.cells[3].outcome, verdict::no_change);
    EXPECT_EQ(result.cells[3].change, 0);
    EXPECT_EQ(result.cells[4].outcome, verdict::slower);
    EXPECT_TRUE(std::isnan(result.cells[4].change));
    EXPECT_TRUE(result.shifts.empty());
}

TEST(comparison, cells_of_one_set_only_appear_or_disappear) {
    auto cells = measured_twice(1, {10, 20, 30, 40}, {10, 20, 30, 40});
    cells[1].base.clear();
    cells[2].changed = {{}};
    const auto result = compare(cells);
    EXPECT_EQ(result.cells[1].outcome, verdict::appeared);
    EXPECT_EQ(result.cells[2].outcome, verdict::disappeared);
    EXPECT_EQ(result.cells[0].outcome, verdict::no_change);
    EXPECT_TRUE(compare({}).cells.empty());
}

TEST(comparison, the_same_measurement_has_not_changed_however_noisy) {
    auto cells = measured_twice(1, truths(), truths(), {.repetition = 0.5}, {2, 2});
    for (auto& cell : cells) cell.changed = cell.base;
    const auto result = compare(cells);
    EXPECT_EQ(count(result, verdict::no_change), cells.size());
}

TEST(comparison, a_time_that_is_not_positive_cannot_be_judged) {
    auto cells = measured_twice(1, {10, 20, 30}, {10, 20, 30});
    cells[0].base[1][2] = 0;
    const auto result = compare(cells);
    EXPECT_EQ(result.cells[0].outcome, verdict::too_noisy);
    EXPECT_TRUE(std::isnan(result.cells[0].change));
    EXPECT_EQ(result.cells[1].outcome, verdict::no_change);
}

// Cells that need no more processes are left out of the later ones. What shifts the others there
// did not shift them.
TEST(comparison, cells_with_fewer_processes_are_matched_with_the_first_ones) {
    constexpr std::size_t placements = 3;
    const noise_levels levels{.repetition = 0.001, .process = 0.001, .cell_in_process = 0.001};
    auto cells = measured_twice(1, truths(), truths(), levels, {2 * placements, 1});
    for (std::size_t i = 0; i != cells.size(); ++i) {
        samples_by_process& base = cells[i].base;
        samples_by_process& changed = cells[i].changed;
        cells[i].placements = placements;
        if (i % 8 < 4) {
            base.resize(placements);
            changed.resize(placements);
        } else {
            for (std::size_t p = 0; p != 2 * placements; ++p) {
                base[p][0] *= p < placements ? 1 : 1.2;
                changed[p][0] *= p < placements ? 1 : 0.9;
            }
        }
    }
    const auto result = compare(cells);
    for (std::size_t i = 0; i != cells.size(); ++i) {
        if (i % 8 < 4) {
            EXPECT_NEAR(result.cells[i].change, 0, 0.01) << i;
        }
    }
}

}  // namespace
}  // namespace comparison_test
