// SPDX-License-Identifier: BSL-1.0
#include "runner/interleave.hpp"

#include "runner/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace lab {
namespace {

/// Hands each finished run to `receive`, by the number that it was registered under.
class numbered_reporter : public benchmark::BenchmarkReporter {
public:
    using receiver = std::function<void(std::size_t number, const Run& run)>;

    explicit numbered_reporter(receiver receive) : receive_(std::move(receive)) {}

    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) receive_(std::stoul(run.run_name.function_name), run);
    }

private:
    receiver receive_;
};

benchmark::internal::Benchmark* add(std::size_t number, const timed_cell& cell) {
    return benchmark::RegisterBenchmark(std::to_string(number).c_str(), cell.body)->UseManualTime();
}

void run_registered(numbered_reporter::receiver receive) {
    numbered_reporter reporter(std::move(receive));
    benchmark::RunSpecifiedBenchmarks(&reporter, ".");
    benchmark::ClearRegisteredBenchmarks();
}

std::vector<benchmark::IterationCount> find_iterations(const std::vector<timed_cell>& cells,
                                                       double min_time) {
    std::vector<benchmark::IterationCount> iterations(cells.size(), 1);
    bool any = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].iterations) {
            iterations[i] = *cells[i].iterations;
        }
        if (cells[i].once || cells[i].iterations) continue;
        add(i, cells[i])->MinTime(min_time);
        any = true;
    }
    if (any) {
        run_registered([&](std::size_t number, const benchmark::BenchmarkReporter::Run& run) {
            iterations[number] = std::max<benchmark::IterationCount>(run.iterations, 1);
        });
    }
    return iterations;
}

/// Which cells have broken off: each is reported once, with what will be missing of it.
class broken_cells {
public:
    broken_cells(const std::vector<timed_cell>& cells, std::size_t repetitions)
        : cells_(cells), left_(cells.size(), repetitions), reported_(cells.size(), false) {}

    /// To be asked after each run of a cell.
    bool broken(std::size_t cell) {
        const timed_cell& what = cells_[cell];
        const std::string why = what.why_broken_off ? what.why_broken_off() : std::string();
        if (why.empty()) {
            --left_[cell];
            return false;
        }
        if (!reported_[cell]) {
            print_skipped({what.what.competitor, what.what.test, why}, left_[cell]);
            reported_[cell] = true;
        }
        return true;
    }

private:
    const std::vector<timed_cell>& cells_;
    std::vector<std::size_t> left_;
    std::vector<bool> reported_;
};

}  // namespace

void measure(const std::vector<timed_cell>& cells, std::size_t repetitions, double min_time) {
    if (cells.empty()) return;
    const std::vector<benchmark::IterationCount> iterations = find_iterations(cells, min_time);

    std::mt19937_64 random{std::random_device{}()};
    std::vector<std::size_t> round(cells.size());
    std::iota(round.begin(), round.end(), std::size_t{0});
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::shuffle(round.begin(), round.end(), random);
        for (const std::size_t cell : round) {
            add(repetition * cells.size() + cell, cells[cell])->Iterations(iterations[cell]);
        }
    }
    broken_cells broken(cells, repetitions);
    run_registered([&](std::size_t number, const benchmark::BenchmarkReporter::Run& run) {
        if (broken.broken(number % cells.size())) return;
        const timed_cell& cell = cells[number % cells.size()];
        const double value =
            run.real_accumulated_time / static_cast<double>(run.iterations) * cell.scale;
        if (!std::isfinite(value) || value <= 0) {
            throw std::runtime_error("measured " + std::to_string(value) + " " + cell.what.unit +
                                     " for " + cell.what.competitor + ", " + cell.what.test +
                                     ": the clock is too coarse, raise --min-time");
        }
        print_sample(cell.what, value, number / cells.size());
    });
}

}  // namespace lab
