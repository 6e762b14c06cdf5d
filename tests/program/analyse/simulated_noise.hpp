// SPDX-License-Identifier: BSL-1.0
// Measurements as a benchmark makes them: each repetition varies, each process as a whole varies
// (all its cells together), and each cell varies from process to process. Deterministic.
#pragma once

#include "analyse/statistics.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace freehold::test {

struct noise_levels {
    double repetition = 0.02;
    double process = 0.01;           // shared by all cells of a process
    double cell_in_process = 0.003;  // a cell's own share of the process's layout
};

class noisy_machine {
public:
    explicit noisy_machine(unsigned seed, noise_levels levels = {})
        : generator_(seed), levels_(levels) {}

    // One set of measurements of cells with these true values: [cell][process][repetition].
    std::vector<analyse::samples_by_process> measure(const std::vector<double>& truths,
                                                     std::size_t processes,
                                                     std::size_t repetitions) {
        std::vector<analyse::samples_by_process> cells(truths.size());
        for (std::size_t p = 0; p != processes; ++p) {
            const double shift = levels_.process * normal_(generator_);
            for (std::size_t c = 0; c != truths.size(); ++c) {
                const double layout = levels_.cell_in_process * normal_(generator_);
                std::vector<double> samples;
                for (std::size_t r = 0; r != repetitions; ++r) {
                    const double noise = levels_.repetition * normal_(generator_);
                    samples.push_back(truths[c] * std::exp(shift + layout + noise));
                }
                cells[c].push_back(std::move(samples));
            }
        }
        return cells;
    }

private:
    std::mt19937_64 generator_;
    std::normal_distribution<double> normal_;
    noise_levels levels_;
};

}  // namespace freehold::test
