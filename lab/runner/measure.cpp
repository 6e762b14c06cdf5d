// SPDX-License-Identifier: BSL-1.0
#include "runner/measure.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

namespace lab {
namespace {

/// Passes each finished run to `receive`, with the number under which it was registered.
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

/// One call measures all iterations.
benchmark::internal::Benchmark* add(std::size_t number, const timed_cell& cell) {
    const auto body = [&cell](benchmark::State& state) {
        try {
            const double seconds = cell.measure(state.max_iterations);
            while (state.KeepRunningBatch(state.max_iterations)) state.SetIterationTime(seconds);
        } catch (const cell_broken_off& error) {
            state.SkipWithError(error.what());
        }
    };
    return benchmark::RegisterBenchmark(std::to_string(number).c_str(), body)->UseManualTime();
}

void run_registered(numbered_reporter::receiver receive) {
    numbered_reporter reporter(std::move(receive));
    benchmark::RunSpecifiedBenchmarks(&reporter, ".");
    benchmark::ClearRegisteredBenchmarks();
}

using iteration_counts = std::vector<benchmark::IterationCount>;

/// Runs one round, which is not reported, over the cells whose iterations fill the minimum time.
void run_beforehand(const std::vector<timed_cell>& cells,
                    const std::function<void(std::size_t, benchmark::internal::Benchmark&)>& set,
                    numbered_reporter::receiver receive) {
    bool any = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].once) continue;
        set(i, *add(i, cells[i]));
        any = true;
    }
    if (any) run_registered(std::move(receive));
}

iteration_counts find_iterations(const std::vector<timed_cell>& cells, double min_time) {
    iteration_counts iterations(cells.size(), 1);
    run_beforehand(
        cells, [&](std::size_t, auto& cell) { cell.MinTime(min_time); },
        [&](std::size_t number, const benchmark::BenchmarkReporter::Run& run) {
            iterations[number] = std::max<benchmark::IterationCount>(run.iterations, 1);
        });
    return iterations;
}

void warm_up(const std::vector<timed_cell>& cells, const iteration_counts& iterations) {
    run_beforehand(
        cells,
        [&](std::size_t number, auto& cell) {
            cell.Iterations(std::max<benchmark::IterationCount>(iterations[number] / 10, 1));
        },
        [](std::size_t, const benchmark::BenchmarkReporter::Run&) {});
}

/// Returns the numbers that an earlier process with as many cells wrote, or none.
iteration_counts read_iterations(const std::filesystem::path& file, std::size_t cells) {
    std::ifstream in(file);
    iteration_counts read{std::istream_iterator<benchmark::IterationCount>(in), {}};
    const bool usable = in.eof() && read.size() == cells &&
                        std::all_of(read.begin(), read.end(), [](auto count) { return count > 0; });
    return usable ? read : iteration_counts();
}

void write_iterations(const std::filesystem::path& file, const iteration_counts& iterations) {
    std::ofstream out(file);
    for (const auto count : iterations) out << count << '\n';
    if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

iteration_counts prepare(const std::vector<timed_cell>& cells, double min_time,
                         const std::filesystem::path& file) {
    if (iteration_counts known = read_iterations(file, cells.size()); !known.empty()) {
        warm_up(cells, known);
        return known;
    }
    iteration_counts found = find_iterations(cells, min_time);
    if (!file.empty()) write_iterations(file, found);
    return found;
}

std::vector<std::size_t> numbers_below(std::size_t count) {
    // A few hundred elements, once for each run.
    std::vector<std::size_t> numbers(count);  // NOLINT(freehold-hidden-zeroing)
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

/// The cells that have broken off. Each is reported once, with the number of its missing runs.
class broken_cells {
public:
    broken_cells(const std::vector<timed_cell>& cells, std::size_t repetitions, const printer& out)
        : cells_(cells), out_(out), left_(cells.size(), repetitions), reported_(cells.size()) {}

    /// The caller must call this after each run of a cell.
    bool broken(std::size_t cell) {
        const timed_cell& what = cells_[cell];
        const std::string why = what.why_broken_off ? what.why_broken_off() : std::string();
        if (why.empty()) {
            --left_[cell];
            return false;
        }
        if (!reported_[cell]) {
            out_.skipped({what.what.subject, what.what.case_key, why}, left_[cell]);
            reported_[cell] = true;
        }
        return true;
    }

private:
    const std::vector<timed_cell>& cells_;
    const printer& out_;
    std::vector<std::size_t> left_;
    std::vector<bool> reported_;
};

/// Reports each case as missing once, however many sizes it has.
void print_broken_off(const joint_cell& cell, const std::string& why, std::size_t repetitions,
                      const printer& out) {
    std::map<std::pair<std::string, std::string>, std::size_t> sizes;
    for (const figure& each : cell.what) ++sizes[{each.subject, each.case_key}];
    for (const auto& [name, count] : sizes) {
        out.skipped({name.first, name.second, why}, count * repetitions);
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
            throw cell_broken_off("measured " + std::to_string(values[i]) + " for " +
                                  cell.what[i].case_key);
        }
    }
    return values;
}

}  // namespace

// Google Benchmark can interleave repetitions itself. But it reports a benchmark only after its
// last repetition, which for interleaved ones is at the very end. So each repetition of each cell
// is registered as its own benchmark, in an order that is shuffled here.
void measure(const std::vector<timed_cell>& cells, std::size_t repetitions, double min_time,
             const std::filesystem::path& iterations_file, const printer& out) {
    if (cells.empty()) return;
    const iteration_counts iterations = prepare(cells, min_time, iterations_file);

    std::mt19937_64 random{std::random_device{}()};
    std::vector<std::size_t> round = numbers_below(cells.size());
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::shuffle(round.begin(), round.end(), random);
        for (const std::size_t cell : round) {
            add(repetition * cells.size() + cell, cells[cell])->Iterations(iterations[cell]);
        }
    }
    broken_cells broken(cells, repetitions, out);
    run_registered([&](std::size_t number, const benchmark::BenchmarkReporter::Run& run) {
        if (broken.broken(number % cells.size())) return;
        const timed_cell& cell = cells[number % cells.size()];
        const double value =
            run.real_accumulated_time / static_cast<double>(run.iterations) * cell.scale;
        if (!std::isfinite(value) || value <= 0) {
            throw std::runtime_error(
                "measured " + std::to_string(value) + " for " + cell.what.subject + ", " +
                cell.what.case_key +
                ": the kernel passed no time to set_iteration_time, or the clock "
                "is too coarse: raise --min-time");
        }
        out.sample(cell.what, value, number / cells.size());
    });
}

std::size_t figures_in(const std::vector<joint_cell>& cells) {
    return std::accumulate(
        cells.begin(), cells.end(), std::size_t{0},
        [](std::size_t sum, const joint_cell& cell) { return sum + cell.what.size(); });
}

void measure(const std::vector<joint_cell>& cells, std::size_t repetitions, const printer& out) {
    std::mt19937_64 random{std::random_device{}()};
    std::vector<std::size_t> round = numbers_below(cells.size());
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::shuffle(round.begin(), round.end(), random);
        std::vector<std::size_t> whole;
        for (const std::size_t number : round) {
            const joint_cell& cell = cells[number];
            try {
                const std::vector<double> values = measured(cell);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    out.sample(cell.what[i], values[i], repetition);
                }
                whole.push_back(number);
            } catch (const cell_broken_off& why) {
                print_broken_off(cell, why.what(), repetitions - repetition, out);
            }
        }
        round = std::move(whole);
    }
}

}  // namespace lab
