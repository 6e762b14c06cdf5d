// SPDX-License-Identifier: BSL-1.0
#include "measure/suite_run.hpp"

#include "measure/subprocess.hpp"
#include "results/json_node.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace freehold {
namespace {

struct step {
    const lab* measured_by;
    std::string process;
};

std::vector<step> steps_of_a_round(const std::string& suite, const std::vector<lab>& labs) {
    std::vector<step> steps;
    for (const lab& each : labs)
        if (const suite_description* has = each.find(suite))
            for (const std::string& process : has->processes) steps.push_back({&each, process});
    return steps;
}

/// Checks that the events of one process have the order that the protocol promises.
class event_sequence {
public:
    void accept(const lab_event& event) {
        if (done_) throw json_error("prints more after `done`");
        if (const auto* plan = std::get_if<plan_event>(&event)) {
            if (planned_) throw json_error("plans twice");
            if (plan->runs < 0) throw json_error("plans a negative number of runs");
            planned_ = plan->runs;
        } else if (!planned_) {
            throw json_error("does not begin with its plan");
        }
        if (std::holds_alternative<sample_event>(event) ||
            std::holds_alternative<exact_event>(event))
            ++seen_;
        if (const auto* skipped = std::get_if<skipped_event>(&event)) seen_ += skipped->runs;
        if (std::holds_alternative<done_event>(event)) {
            if (seen_ != *planned_)
                throw json_error(fmt::format("planned {} runs, but did {}", *planned_, seen_));
            done_ = true;
        }
    }
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] double share() const {
        if (!planned_ || *planned_ == 0) return 0;
        return std::min(1.0, static_cast<double>(seen_) / static_cast<double>(*planned_));
    }

private:
    std::optional<std::int64_t> planned_;
    std::int64_t seen_ = 0;
    bool done_ = false;
};

/// The files that the processes of one kind share: the number of iterations that fill the minimum
/// time, which the first of them determines, and the cells that are known well enough.
class shared_files {
public:
    [[nodiscard]] std::string iterations_of(const step& step) const {
        return folder_ / (step.measured_by->description.name + "-" + step.process);
    }

    [[nodiscard]] std::string known_of(const step& step) const {
        return iterations_of(step) + "-known";
    }
    void write_known(const step& step, const std::vector<const measurement*>& cells) const {
        const std::string path = known_of(step);
        std::ofstream file(path);
        for (const measurement* cell : cells)
            file << cell->subject << '\t' << cell->test_case << '\t'
                 << (cell->n ? std::to_string(*cell->n) : "") << '\n';
        if (!file.flush()) throw lab_error(path + ": cannot be written");
    }

private:
    support::temporary_folder folder_{"measure"};
};

std::vector<std::string> command_of(const step& step, int round, const suite_request& request,
                                    const shared_files& files, const suite_collector& collector) {
    const auto& placements = step.measured_by->placements;
    const std::size_t turn = static_cast<std::size_t>(round) % placements.size();
    std::vector<std::string> command = {placements[turn].string(),
                                        "run",
                                        request.suite,
                                        "--process",
                                        step.process,
                                        "--repetitions",
                                        std::to_string(request.schedule.repetitions),
                                        "--min-time",
                                        fmt::format("{}", request.schedule.min_time),
                                        "--iterations",
                                        files.iterations_of(step)};
    if (turn == 0) {  // so that each placement measures a cell equally often
        files.write_known(step,
                          collector.narrow_cells(step.measured_by->description.name, step.process));
    }
    if (std::filesystem::file_size(files.known_of(step)) != 0) {
        command.push_back("--leave-out");
        command.push_back(files.known_of(step));
    }
    if (const auto mebibytes = request.schedule.data_mebibytes) {
        command.push_back("--data");
        command.push_back(std::to_string(*mebibytes));
    }
    if (request.filter) command.push_back("--filter=" + *request.filter);
    return command;
}

std::string text_of(const figure& figure) {
    return figure.n ? fmt::format("{}, {}, n = {}", figure.subject, figure.test_case, *figure.n)
                    : fmt::format("{}, {}", figure.subject, figure.test_case);
}

std::string text_of(const lab_event& event) {
    if (const auto* sample = std::get_if<sample_event>(&event)) return text_of(*sample);
    if (const auto* exact = std::get_if<exact_event>(&event)) return text_of(*exact);
    return {};
}

/// How many rounds fit into the limit, if `done` rounds took `seconds`.
int rounds_that_fit(const suite_schedule& schedule, int done, double seconds) {
    const double fit = std::floor(schedule.limit_seconds * done / std::max(seconds, 1e-9));
    return static_cast<int>(std::clamp<double>(fit, done, schedule.rounds));
}

class suite_runner {
public:
    suite_runner(const suite_request& request, const interrupts& interrupts, progress& progress,
                 suite_collector& collector)
        : request_(request), interrupts_(interrupts), progress_(progress), collector_(collector) {}

    suite_end run(std::vector<step> steps) {
        int rounds = request_.schedule.rounds;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const auto before =
                    static_cast<double>(steps.size()) * round + static_cast<double>(i);
                const double all = static_cast<double>(steps.size()) * rounds;
                share_before_ = before / all;
                share_of_step_ = 1 / all;
                const auto where = fmt::format("round {} of {}", round + 1, rounds);
                if (run_process(steps[i], round, where) == suite_end::interrupted)
                    return suite_end::interrupted;
            }
            rounds = rounds_that_fit(request_.schedule, round + 1, progress_.seconds());
            std::reverse(steps.begin(), steps.end());
        }
        return suite_end::complete;
    }

private:
    suite_end run_process(const step& step, int round, const std::string& where) {
        const std::string& lab = step.measured_by->description.name;
        progress_.begin_process(fmt::format("{}, {} {}", where, lab, step.process));
        collector_.begin_process(lab, step.process);
        event_sequence sequence;
        subprocess process;
        process.command = command_of(step, round, request_, files_, collector_);
        process.read_line = [&](std::string_view line) {
            const lab_event event = parse_lab_event(line);
            sequence.accept(event);
            collector_.add(event);
            progress_.update(text_of(event), share_before_ + share_of_step_ * sequence.share());
        };
        process.tick = [&] { progress_.tick(); };

        const auto failed = [&](const std::string& why) {
            return lab_error(
                fmt::format("lab {}, suite {} ({}): {}", lab, request_.suite, step.process, why));
        };
        try {
            const subprocess_end end = run_subprocess(process, interrupts_);
            if (end.interrupted) return suite_end::interrupted;
            if (!end.succeeded()) throw failed(end.description());
            if (!sequence.done()) throw failed("ended before it was done; " + end.description());
            collector_.end_process();
        } catch (const subprocess_error& error) {
            throw failed(error.what());
        } catch (const json_error& error) {
            throw failed(
                fmt::format("printed a line that is not in the lab protocol: {}", error.what()));
        }
        return suite_end::complete;
    }

    const suite_request& request_;
    const interrupts& interrupts_;
    progress& progress_;
    suite_collector& collector_;
    shared_files files_;
    double share_before_ = 0;
    double share_of_step_ = 0;
};

}  // namespace

suite_end run_suite(const suite_request& request, const std::vector<lab>& labs,
                    const interrupts& interrupts, progress& progress, suite_collector& collector) {
    suite_runner runner(request, interrupts, progress, collector);
    return runner.run(steps_of_a_round(request.suite, labs));
}

}  // namespace freehold
