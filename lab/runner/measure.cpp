// SPDX-License-Identifier: BSL-1.0
#include "runner/measure.hpp"

#include "suites/common/stack_places.hpp"

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

/// Each part of the iterations has its stack at another place.
measured_time measured_at_each_place(const timed_cell& cell, std::int64_t iterations) {
    constexpr auto parts = static_cast<std::int64_t>(stack_places);
    if (iterations < 4 * parts) return cell.measure(iterations);
    measured_time all;
    for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t some = iterations / parts + (part < iterations % parts ? 1 : 0);
        all.seconds += at_stack_place(static_cast<std::size_t>(part), [&] {
                           return cell.measure(some);
                       }).seconds;
    }
    return all;
}

/// Returns the seconds that this number of iterations of a cell took.
using measuring = std::function<double(const timed_cell& cell, std::int64_t iterations)>;

/// One call measures all iterations.
benchmark::internal::Benchmark* add(std::size_t number, const timed_cell& cell,
                                    const measuring& seconds_of) {
    const auto body = [&cell, seconds_of](benchmark::State& state) {
        try {
            const double seconds = seconds_of(cell, state.max_iterations);
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

/// What is known of a cell before it is measured.
struct prepared_cell {
    benchmark::IterationCount iterations = 1;
    bool elsewhere = false;  // whether the cell chooses its processors
};
using prepared_cells = std::vector<prepared_cell>;

/// Runs one round, which is not reported, over the cells whose iterations fill the minimum time.
void run_beforehand(const std::vector<timed_cell>& cells, prepared_cells& prepared,
                    const std::function<void(std::size_t, benchmark::internal::Benchmark&)>& set,
                    numbered_reporter::receiver receive) {
    bool any = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].once || !cells[i].wanted) continue;
        const auto first = [&elsewhere = prepared[i].elsewhere](const timed_cell& cell,
                                                                std::int64_t iterations) {
            const measured_time took = cell.measure(iterations);
            elsewhere = took.elsewhere;
            return took.seconds;
        };
        set(i, *add(i, cells[i], first));
        any = true;
    }
    if (any) run_registered(std::move(receive));
}

void find_iterations(const std::vector<timed_cell>& cells, double min_time,
                     prepared_cells& prepared) {
    run_beforehand(
        cells, prepared, [&](std::size_t, auto& cell) { cell.MinTime(min_time); },
        [&](std::size_t number, const benchmark::BenchmarkReporter::Run& run) {
            prepared[number].iterations = std::max<benchmark::IterationCount>(run.iterations, 1);
        });
}

void warm_up(const std::vector<timed_cell>& cells, prepared_cells& prepared) {
    run_beforehand(
        cells, prepared,
        [&](std::size_t number, auto& cell) {
            const auto some = prepared[number].iterations / 10;
            cell.Iterations(std::max<benchmark::IterationCount>(some, 1));
        },
        [](std::size_t, const benchmark::BenchmarkReporter::Run&) {});
}

/// Reads the numbers of iterations that an earlier process with as many cells wrote. Returns false
/// if there are none.
bool read_iterations(const std::filesystem::path& file, prepared_cells& prepared) {
    std::ifstream in(file);
    const std::vector<benchmark::IterationCount> read{
        std::istream_iterator<benchmark::IterationCount>(in), {}};
    if (!in.eof() || read.size() != prepared.size() ||
        !std::all_of(read.begin(), read.end(), [](auto count) { return count > 0; })) {
        return false;
    }
    for (std::size_t i = 0; i < read.size(); ++i) prepared[i].iterations = read[i];
    return true;
}

void write_iterations(const std::filesystem::path& file, const prepared_cells& prepared) {
    std::ofstream out(file);
    for (const prepared_cell& each : prepared) out << each.iterations << '\n';
    if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

prepared_cells prepare(const std::vector<timed_cell>& cells, double min_time,
                       const std::filesystem::path& file) {
    prepared_cells prepared(cells.size());
    if (read_iterations(file, prepared)) {
        warm_up(cells, prepared);
    } else {
        find_iterations(cells, min_time, prepared);
        if (!file.empty()) write_iterations(file, prepared);
    }
    return prepared;
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
sample_counts measure(const std::vector<timed_cell>& cells, std::size_t repetitions,
                      double min_time, const std::filesystem::path& iterations_file,
                      const printer& out) {
    if (wanted(cells) == 0) return {};
    const prepared_cells prepared = prepare(cells, min_time, iterations_file);

    quiet_cores cores;
    const measuring whole = [&](const timed_cell& cell, std::int64_t iterations) {
        return cores.seconds([&] { return cell.measure(iterations); });
    };
    const measuring in_parts = [&](const timed_cell& cell, std::int64_t iterations) {
        return cores.seconds([&] { return measured_at_each_place(cell, iterations); });
    };
    std::mt19937_64 random{std::random_device{}()};
    std::vector<std::size_t> round = numbers_below(cells.size());
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::shuffle(round.begin(), round.end(), random);
        for (const std::size_t cell : round) {
            if (!cells[cell].wanted) continue;
            add(repetition * cells.size() + cell, cells[cell],
                prepared[cell].elsewhere ? whole : in_parts)
                ->Iterations(prepared[cell].iterations);
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
    return cores.counts();
}

std::size_t wanted(const std::vector<timed_cell>& cells) {
    return static_cast<std::size_t>(std::count_if(
        cells.begin(), cells.end(), [](const timed_cell& each) { return each.wanted; }));
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
