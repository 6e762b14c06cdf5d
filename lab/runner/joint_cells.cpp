// SPDX-License-Identifier: BSL-1.0
#include "runner/joint_cells.hpp"

#include "runner/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lab {
namespace {

void print_samples(const joint_cell& cell, const std::vector<double>& values,
                   std::size_t repetition) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        print_sample(cell.what[i], values[i], repetition);
    }
}

/// Each test is said to be missing once, however many sizes it has.
void print_broken_off(const joint_cell& cell, const std::string& why, std::size_t repetitions) {
    std::map<std::pair<std::string, std::string>, std::size_t> sizes;
    for (const figure& each : cell.what) ++sizes[{each.competitor, each.test}];
    for (const auto& [name, count] : sizes) {
        print_skipped({name.first, name.second, why}, count * repetitions);
    }
}

std::vector<double> measured(const joint_cell& cell) {
    std::vector<double> values = cell.measure();
    if (values.size() != cell.what.size()) {
        throw std::logic_error("a cell of " + std::to_string(cell.what.size()) +
                               " figures yields " + std::to_string(values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || values[i] < 0) {
            throw cell_broken_off("measured " + std::to_string(values[i]) + " " +
                                  cell.what[i].unit + " for " + cell.what[i].test);
        }
    }
    return values;
}

}  // namespace

std::size_t figures_in(const std::vector<joint_cell>& cells) {
    return std::accumulate(
        cells.begin(), cells.end(), std::size_t{0},
        [](std::size_t sum, const joint_cell& cell) { return sum + cell.what.size(); });
}

void measure(const std::vector<joint_cell>& cells, std::size_t repetitions) {
    std::mt19937_64 random{std::random_device{}()};
    std::vector<std::size_t> round(cells.size());
    std::iota(round.begin(), round.end(), std::size_t{0});
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::shuffle(round.begin(), round.end(), random);
        std::vector<std::size_t> whole;
        for (const std::size_t number : round) {
            const joint_cell& cell = cells[number];
            try {
                print_samples(cell, measured(cell), repetition);
                whole.push_back(number);
            } catch (const cell_broken_off& why) {
                print_broken_off(cell, why.what(), repetitions - repetition);
            }
        }
        round = std::move(whole);
    }
}

}  // namespace lab
