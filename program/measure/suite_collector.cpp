// SPDX-License-Identifier: BSL-1.0
#include "measure/suite_collector.hpp"

#include "analyse/statistics.hpp"
#include "results/json_node.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

template <class... Functions>
struct overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

std::string cell_name(const measurement& cell) {
    return cell.n ? fmt::format("{}, {}, n = {}", cell.subject, cell.test_case, *cell.n)
                  : fmt::format("{}, {}", cell.subject, cell.test_case);
}

}  // namespace

void suite_collector::begin_process(std::string lab, std::string process) {
    lab_ = std::move(lab);
    process_ = std::move(process);
    running_.clear();
    order_.clear();
    skipping_.clear();
    counts_ = {};
}

void suite_collector::add(const figure& figure, bool exact) {
    const key name(lab_, process_, figure.subject, figure.test_case, figure.n);
    const auto [found, fresh] = running_.try_emplace(name);
    measurement& cell = found->second;
    if (fresh) {
        order_.push_back(name);
        cell.lab = lab_;
        cell.process = process_;
        cell.subject = figure.subject;
        cell.test_case = figure.test_case;
        cell.n = figure.n;
        cell.unit = figure.unit;
        cell.exact = exact;
        cell.note = figure.note;
        cell.samples.emplace_back();
    } else if (exact || cell.exact) {
        throw json_error(fmt::format("reports the exact figure {} twice", cell_name(cell)));
    } else if (cell.unit != figure.unit) {
        throw json_error(fmt::format("reports {} in two units", cell_name(cell)));
    }
    cell.samples.front().push_back(figure.value);
}

void suite_collector::add(const lab_event& event) {
    std::visit(
        overloaded{
            [&](const sample_event& sample) { add(sample, false); },
            [&](const exact_event& exact) { add(exact, true); },
            [&](const skipped_event& skipped) {
                skipping_.push_back({lab_, skipped.subject, skipped.test_case, skipped.reason});
            },
            [](const plan_event&) {},
            [&](const done_event& done) { counts_ = done.counts; },
        },
        event);
}

void suite_collector::merge(const key& name, measurement&& one_process) {
    const auto [place, fresh] = places_.try_emplace(name, suite_.measurements.size());
    if (fresh) {
        suite_.measurements.push_back(std::move(one_process));
        return;
    }
    measurement& whole = suite_.measurements[place->second];
    if (whole.unit != one_process.unit || whole.exact != one_process.exact)
        throw json_error(fmt::format("reports {} in two ways", cell_name(whole)));
    if (!whole.exact)
        whole.samples.push_back(std::move(one_process.samples.front()));
    else if (whole != one_process)
        throw json_error(
            fmt::format("reports two values for the exact figure {}", cell_name(whole)));
}

std::vector<const measurement*> suite_collector::narrow_cells(const std::string& lab,
                                                              const std::string& process) const {
    constexpr std::size_t fewest_processes = 3;
    constexpr double narrow = 0.01;
    std::vector<const measurement*> found;
    for (const measurement& cell : suite_.measurements) {
        if (cell.lab != lab || cell.process != process || cell.exact) continue;
        if (cell.samples.size() < fewest_processes) continue;
        std::vector<double> processes;
        for (const auto& samples : cell.samples) processes.push_back(analyse::median(samples));
        const double centre = analyse::median(processes);
        if (std::all_of(processes.begin(), processes.end(),
                        [&](double each) { return std::abs(each - centre) <= narrow * centre; }))
            found.push_back(&cell);
    }
    return found;
}

void suite_collector::skip(freehold::skipped cell) {
    auto& all = suite_.skipped;
    if (std::find(all.begin(), all.end(), cell) == all.end()) all.push_back(std::move(cell));
}

void suite_collector::end_process() {
    for (const key& each : order_) merge(each, std::move(running_.at(each)));
    for (auto& each : skipping_) skip(std::move(each));
    suite_.counts += counts_;
    running_.clear();
    order_.clear();
    skipping_.clear();
}

}  // namespace freehold
