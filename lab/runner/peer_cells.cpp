// SPDX-License-Identifier: BSL-1.0
#include "runner/peer_cells.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

/// All iterations in one request. When the peer breaks off, the cell does for good.
timed_cell cell_of(const std::shared_ptr<peer>& of, std::size_t index) {
    const peer_cell& cell = of->description().cells[index];
    timed_cell result{{cell.competitor, cell.test, cell.n, cell.unit}, {}, cell.scale, cell.once};
    result.body = [of, index](benchmark::State& state) {
        try {
            const double seconds = of->measure(index, state.max_iterations);
            while (state.KeepRunningBatch(state.max_iterations)) state.SetIterationTime(seconds);
        } catch (const peer_error& error) {
            state.SkipWithError(error.what());
        }
    };
    result.why_broken_off = [of] { return of->failure(); };
    return result;
}

/// Its iterations are so many MiB.
joint_cell joint_cell_of(const std::shared_ptr<peer>& of, std::size_t index,
                         std::int64_t mebibytes) {
    const peer_joint_cell& cell = of->description().joint_cells[index];
    joint_cell result;
    for (const auto& each : cell.figures) {
        result.what.push_back({cell.competitor, each.test, {}, each.unit});
    }
    result.measure = [of, index, mebibytes] {
        try {
            return of->measure_jointly(index, mebibytes);
        } catch (const peer_error& error) {
            throw cell_broken_off(error.what());
        }
    };
    return result;
}

void add_joint_cells(plan& into, const std::string& suite, const selection& chosen,
                     const std::shared_ptr<peer>& of) {
    const peer_description& description = of->description();
    const auto mebibytes = static_cast<std::int64_t>(chosen.data_bytes >> 20);
    for (std::size_t i = 0; i < description.joint_cells.size(); ++i) {
        const peer_joint_cell& cell = description.joint_cells[i];
        if (cell.suite != suite || !chosen.wants(cell.competitor, true)) continue;
        if (description.missing.empty()) {
            into.joint.push_back(joint_cell_of(of, i, mebibytes));
            continue;
        }
        for (const auto& figure : cell.figures) {
            into.skipped.push_back({cell.competitor, figure.test, description.missing});
        }
    }
}

}  // namespace

std::vector<fs::path> find_peers() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "peers";
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

std::vector<peer_description::part> parts_of_peers() {
    std::vector<peer_description::part> parts;
    for (const fs::path& executable : find_peers()) {
        try {
            const peer started(executable, process_kind::single);
            if (!started.description().missing.empty()) continue;
            for (const auto& part : started.description().peers) {
                if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
                    parts.push_back(part);
                }
            }
        } catch (const peer_error&) {
            continue;  // a run says why it has no cells
        }
    }
    return parts;
}

void add_peer_cells(plan& into, const std::string& suite, const selection& chosen,
                    std::optional<std::int64_t> seed_iterations) {
    for (const fs::path& executable : find_peers()) {
        std::shared_ptr<peer> started;
        try {
            started = std::make_shared<peer>(executable, chosen.process);
        } catch (const peer_error& error) {
            into.skipped.push_back({executable.filename().string(), "any", error.what()});
            continue;
        }
        const peer_description& description = started->description();
        for (std::size_t i = 0; i < description.cells.size(); ++i) {
            const peer_cell& cell = description.cells[i];
            if (cell.suite != suite || !chosen.wants(cell.competitor, true)) continue;
            if (!description.missing.empty()) {
                into.skipped.push_back({cell.competitor, cell.test, description.missing});
                continue;
            }
            into.timed.push_back(cell_of(started, i));
            if (cell.test.starts_with("seed ")) into.timed.back().iterations = seed_iterations;
        }
        add_joint_cells(into, suite, chosen, started);
    }
}

}  // namespace lab
