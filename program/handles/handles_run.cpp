// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_run.hpp"

#include "handles/known_handles.hpp"
#include "results/replace_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "freehold-handles";
constexpr int version = 2;

constexpr std::array figures = {
    std::pair{"copies", &counted_line::copies},
    std::pair{"releases", &counted_line::releases},
    std::pair{"last_releases", &counted_line::last_releases},
    std::pair{"unique_releases", &counted_line::unique_releases},
    std::pair{"locks", &counted_line::locks},
    std::pair{"weak_copies", &counted_line::weak_copies},
    std::pair{"weak_releases", &counted_line::weak_releases},
    std::pair{"objects", &counted_line::objects},
    std::pair{"made_apart", &counted_line::made_apart},
    std::pair{"would_be_plain", &counted_line::would_be_plain},
    std::pair{"sole", &counted_line::sole},
    std::pair{"foreign", &counted_line::foreign},
    std::pair{"left", &counted_line::left},
    std::pair{"left_shared", &counted_line::left_shared},
};

constexpr std::array cost_figures = {
    std::pair{"plain", &operation_costs::plain},
    std::pair{"locked", &operation_costs::locked},
    std::pair{"weak_lock", &operation_costs::weak_lock},
    std::pair{"allocation", &operation_costs::allocation},
};

const char* name_of(pair_kind kind) {
    switch (kind) {
        case pair_kind::copy:
            return "copy";
        case pair_kind::lock:
            return "lock";
        case pair_kind::weak_copy:
            return "weak_copy";
    }
    return "";
}

json as_json(const handles_run& run) {
    json result = {{"format", format},
                   {"version", version},
                   {"command", run.command},
                   {"exit_status", run.exit_status},
                   {"processes", run.counts.processes},
                   {"processes_killed", run.counts.killed},
                   {"threads", run.counts.most_threads},
                   {"without_debug_information", run.counts.without_debug_information},
                   {"nanoseconds", run.nanoseconds()}};
    for (const auto& [name, figure] : cost_figures)
        result["nanoseconds_per_operation"][name] = run.costs.*figure;
    if (run.cpu_seconds) result["cpu_seconds_without_valgrind"] = *run.cpu_seconds;
    result["lines"] = json::array();
    for (const counted_line& each : run.counts.lines) {
        json line = {{"handle", each.handle},
                     {"pointee", each.pointee},
                     {"function", each.function},
                     {"file", each.file},
                     {"line", each.line},
                     {"threads", std::popcount(each.threads)},
                     {"nanoseconds", nanoseconds_of(each, run.costs)}};
        for (const auto& [name, figure] : figures) line[name] = each.*figure;
        result["lines"].push_back(std::move(line));
    }
    result["pairs"] = json::array();
    for (const removable_pair& each : run.counts.pairs)
        result["pairs"].push_back({{"copy", each.copy},
                                   {"release", each.release},
                                   {"kind", name_of(each.kind)},
                                   {"count", each.count},
                                   {"repeats", each.repeats},
                                   {"would_be_plain", each.plain},
                                   {"distance", each.distance}});
    return result;
}

handles_run from_json(const json& file) {
    handles_run run;
    if (file.at("format") != format || file.at("version") != version)
        throw handles_error(
            fmt::format("is not a file of `freehold handles`, version {}; count "
                        "again with this version of freehold",
                        version));
    run.command = file.at("command");
    run.exit_status = file.at("exit_status");
    run.counts.processes = file.at("processes");
    run.counts.most_threads = file.at("threads");
    for (const auto& [name, figure] : cost_figures)
        run.costs.*figure = file.at("nanoseconds_per_operation").at(name);
    if (file.contains("cpu_seconds_without_valgrind"))
        run.cpu_seconds = file.at("cpu_seconds_without_valgrind");
    for (const json& each : file.at("lines")) {
        counted_line line;
        line.handle = each.at("handle");
        line.pointee = each.at("pointee");
        line.function = each.at("function");
        line.file = each.at("file");
        line.line = each.at("line");
        for (const auto& [name, figure] : figures) line.*figure = each.at(name);
        run.counts.lines.push_back(std::move(line));
    }
    return run;
}

}  // namespace

double handles_run::nanoseconds() const {
    double sum = 0;
    for (const counted_line& each : counts.lines) sum += nanoseconds_of(each, costs);
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
        if (is_new || each.objects > run.counts.lines[of.line].objects) of.line = i;
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
        of.nanoseconds += nanoseconds_of(each, run.costs);
    }
    std::vector<type_total> result;
    for (auto& [name, total] : types) result.push_back(std::move(total));
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.nanoseconds > b.nanoseconds; });
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

std::string place_of(const counted_line& line) {
    return line.file.empty()
               ? fs::path(line.function).filename().string()
               : fmt::format("{}:{}", fs::path(line.file).filename().string(), line.line);
}

std::string type_of(const counted_line& line) {
    return line.pointee.empty() ? line.handle : line.pointee;
}

void save_run(const handles_run& run, const fs::path& file) {
    // A file's name may be no UTF-8.
    replace_file(file, as_json(run).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool is_handles_file(const fs::path& file) {
    std::ifstream stream(file);
    const json found = json::parse(stream, nullptr, false);
    return found.is_object() && found.value("format", json()) == format;
}

handles_run load_run(const fs::path& file) {
    std::ifstream stream(file);
    if (!stream) throw handles_error(fmt::format("{}: cannot be read", file.string()));
    try {
        return from_json(json::parse(stream));
    } catch (const json::exception& error) {
        throw handles_error(fmt::format("{}: is not a file of `freehold handles`: {}",
                                        file.string(), error.what()));
    } catch (const handles_error& error) {
        throw handles_error(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace freehold
