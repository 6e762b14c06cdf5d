// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace freehold {

time_interval handles_run::time() const {
    time_interval sum;
    for (const counted_line& each : counts.lines) sum = sum + time_of(each, costs);
    return sum;
}

std::optional<double> handles_run::share(double nanoseconds) const {
    if (!cpu_seconds || *cpu_seconds <= 0) return std::nullopt;
    return nanoseconds * 1e-9 / *cpu_seconds;
}

std::vector<type_total> types_of(const handles_run& run) {
    std::map<std::string, type_total> types;
    for (std::size_t i = 0; i < run.counts.lines.size(); ++i) {
        const counted_line& each = run.counts.lines[i];
        if (each.pointee.empty()) continue;
        const auto [found, is_new] = types.try_emplace(each.pointee);
        type_total& of = found->second;
        // The line that makes most objects. For handles that show no objects, that of most copies.
        const counted_line& most = run.counts.lines[of.line];
        if (is_new || std::pair(each.objects, each.copies) > std::pair(most.objects, most.copies))
            of.line = i;
        of.pointee = each.pointee;
        of.handle = each.handle;
        of.operations += each.operations();
        of.plain += each.would_be_plain;
        of.weak += each.weak_copies + each.locks;
        of.weak_locks += each.locks;
        of.last += each.last_releases;
        of.sole += each.sole;
        of.left_shared += each.left_shared;
        of.foreign += each.foreign;
        of.apart += each.made_apart;
        of.time = of.time + time_of(each, run.costs);
    }
    std::vector<type_total> result;
    for (auto& [name, total] : types) {
        if (const auto found = run.counts.objects.find(name); found != run.counts.objects.end())
            total.objects = found->second;
        result.push_back(std::move(total));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.time.usual > b.time.usual; });
    return result;
}

std::vector<std::size_t> lines_by_time(const handles_run& run) {
    std::vector<std::size_t> order(run.counts.lines.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto time_of = [&](std::size_t i) {
        return nanoseconds_of(run.counts.lines[i], run.costs);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return time_of(a) > time_of(b); });
    return order;
}

void name_files(std::vector<counted_line>& lines) {
    std::map<std::string, std::set<std::string>> files;
    for (const counted_line& each : lines)
        files[std::filesystem::path(each.file).filename().string()].insert(each.file);
    for (counted_line& each : lines) {
        const std::filesystem::path file = each.file;
        each.name = file.filename().string();
        if (files[each.name].size() > 1)
            each.name = (file.parent_path().filename() / each.name).string();
    }
}

std::string place_of(const counted_line& line) {
    return line.file.empty()
               ? std::filesystem::path(line.function).filename().string()
               : fmt::format("{}:{}{}{}", line.name, line.line, line.is_called ? " (called)" : "",
                             line.is_merged ? " (merged)" : "");
}

std::string type_of(const counted_line& line) {
    return line.pointee.empty() ? line.handle : line.pointee;
}

}  // namespace freehold
