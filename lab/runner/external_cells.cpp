// SPDX-License-Identifier: BSL-1.0
#include "runner/external_cells.hpp"

#include "runner/external_process.hpp"
#include "runner/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace lab {

namespace fs = std::filesystem;

struct external_subjects::started {
    std::shared_ptr<external_process> process;
};

namespace {

std::vector<fs::path> find_processes() {
    std::string executable = fs::read_symlink("/proc/self/exe");
    // All placements of an executable use the same processes.
    executable.resize(std::min(executable.size(), executable.rfind("-placed-")));
    const fs::path folder = executable + ".processes";
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (entry.is_regular_file(none) && access(entry.path().c_str(), X_OK) == 0) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Several requests share the iterations, so that one that was disturbed does not count. If the
/// process fails, the cell is broken off.
timed_cell cell_of(const std::shared_ptr<external_process>& of, std::size_t index) {
    const external_cell& cell = of->description().cells[index];
    timed_cell result{{cell.subject, cell.case_key, cell.n}, {}, cell.scale, cell.once};
    result.measure = [of, index](std::int64_t iterations) {
        constexpr std::int64_t most_requests = 8;
        const std::int64_t requests = std::min(iterations, most_requests);
        kernel_state state(requests);
        state.runs_elsewhere();
        try {
            const std::int64_t each = iterations / requests;
            for ([[maybe_unused]] auto _ : state)
                state.set_iteration_time(of->measure(index, each));
            measured_time took = state.measured();
            took.seconds *= static_cast<double>(iterations) / static_cast<double>(each * requests);
            return took;
        } catch (const process_error& error) {
            throw cell_broken_off(error.what());
        }
    };
    result.why_broken_off = [of] { return of->failure(); };
    return result;
}

/// The number of iterations is the size of the data in MiB.
joint_cell joint_cell_of(const std::shared_ptr<external_process>& of, std::size_t index,
                         std::int64_t mebibytes) {
    const external_joint_cell& cell = of->description().joint_cells[index];
    joint_cell result;
    for (const std::string& each : cell.cases) result.what.push_back({cell.subject, each});
    result.measure = [of, index, mebibytes] {
        try {
            return of->measure_jointly(index, mebibytes);
        } catch (const process_error& error) {
            throw cell_broken_off(error.what());
        }
    };
    return result;
}

}  // namespace

external_subjects::external_subjects(process_kind kind) {
    for (const fs::path& executable : find_processes()) {
        try {
            auto process = std::make_shared<external_process>(executable, kind);
            merge_subjects(all_, process->description().subjects);
            started_.push_back({std::move(process)});
        } catch (const process_error& error) {
            const std::string name = executable.filename().string();
            subject failed{key_of(name), name, family::other};
            failed.missing = error.what();
            failed_.push_back(failed);
        }
    }
    merge_subjects(all_, failed_);
}

external_subjects::~external_subjects() = default;

void external_subjects::add_cells(plan& into, const std::string& suite,
                                  const std::string& first_case, const selection& chosen) const {
    for (const subject& each : failed_)
        into.skipped.push_back({each.key, first_case, each.missing});
    const auto name_of_subject = [&](const std::string& key) {
        return std::find_if(all_.begin(), all_.end(),
                            [&](const subject& s) { return s.key == key; })
            ->name;
    };
    for (const started& each : started_) {
        const process_description& told = each.process->description();
        for (std::size_t i = 0; i < told.cells.size(); ++i) {
            const external_cell& cell = told.cells[i];
            if (cell.suite != suite || !chosen.passes(cell.subject, name_of_subject(cell.subject)))
                continue;
            if (const std::string& why = told.why_missing(cell.subject); !why.empty()) {
                into.skipped.push_back({cell.subject, cell.case_key, why});
                continue;
            }
            into.timed.push_back(cell_of(each.process, i));
        }
        const auto mebibytes = static_cast<std::int64_t>(chosen.data_bytes >> 20);
        for (std::size_t i = 0; i < told.joint_cells.size(); ++i) {
            const external_joint_cell& cell = told.joint_cells[i];
            if (cell.suite != suite || !chosen.passes(cell.subject, name_of_subject(cell.subject)))
                continue;
            const std::string& why = told.why_missing(cell.subject);
            if (why.empty()) {
                into.joint.push_back(joint_cell_of(each.process, i, mebibytes));
                continue;
            }
            for (const std::string& one : cell.cases) {
                into.skipped.push_back({cell.subject, one, why});
            }
        }
    }
}

}  // namespace lab
