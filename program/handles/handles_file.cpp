// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_file.hpp"

#include "code/known_handles.hpp"
#include "results/replace_file.hpp"

#include <array>
#include <bit>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "freehold-handles";
constexpr int version = 5;

constexpr std::array line_figures = {
    std::pair{"copies", &counted_line::copies},
    std::pair{"releases", &counted_line::releases},
    std::pair{"last_releases", &counted_line::last_releases},
    std::pair{"unique_releases", &counted_line::unique_releases},
    std::pair{"locks", &counted_line::locks},
    std::pair{"in_variables", &counted_line::in_variables},
    std::pair{"weak_copies", &counted_line::weak_copies},
    std::pair{"weak_releases", &counted_line::weak_releases},
    std::pair{"objects", &counted_line::objects},
    std::pair{"made_apart", &counted_line::made_apart},
    std::pair{"would_be_plain", &counted_line::would_be_plain},
    std::pair{"sole", &counted_line::sole},
    std::pair{"foreign", &counted_line::foreign},
    std::pair{"left", &counted_line::left},
    std::pair{"left_shared", &counted_line::left_shared},
    std::pair{"samples", &counted_line::samples},
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

json as_json(const time_interval& each) {
    return {{"usual", each.usual}, {"least", each.least}, {"most", each.most}};
}

time_interval interval_of(const json& each) {
    return {each.at("usual"), each.at("least"), each.at("most")};
}

json as_json(const handles_advice& piece, const counted_line& line) {
    return {{"kind", key_of(piece.kind)},  {"what", piece.what},
            {"evidence", piece.evidence},  {"code", piece.code},
            {"sure", text_of(piece.sure)}, {"nanoseconds", as_json(piece.nanoseconds)},
            {"file", line.file},           {"line", line.line},
            {"pointee", line.pointee}};
}

json as_json(const handles_run& run, const given_advice& advice) {
    json result = {{"format", format},
                   {"version", version},
                   {"mode", run.sampled ? "sample" : "count"},
                   {"command", run.command},
                   {"exit_status", run.exit_status},
                   {"processes", run.counts.processes},
                   {"processes_killed", run.counts.killed},
                   {"threads", run.counts.most_threads},
                   {"without_debug_information", run.counts.without_debug_information},
                   {"notes", run.counts.notes},
                   {"nanoseconds", run.nanoseconds()}};
    for (const auto& [name, figure] : cost_figures)
        result["nanoseconds_per_operation"][name] = as_json(run.costs.*figure);
    result["steady"] = run.costs.plain.is_steady;
    if (run.sampled)
        result["sampled"] = {{"event", run.sampled->event},
                             {"samples", run.sampled->samples},
                             {"lost", run.sampled->lost},
                             {"nanoseconds_per_sample", run.costs.sample}};
    if (run.cpu_seconds) result["cpu_seconds_without_valgrind"] = *run.cpu_seconds;
    result["lines"] = json::array();
    for (const counted_line& each : run.counts.lines) {
        json line = {{"handle", each.handle},
                     {"pointee", each.pointee},
                     {"function", each.function},
                     {"file", each.file},
                     {"line", each.line},
                     {"called", each.is_called},
                     {"merged", each.is_merged},
                     {"calls", each.calls},
                     {"threads", std::popcount(each.threads)},
                     {"nanoseconds", nanoseconds_of(each, run.costs)}};
        for (const auto& [name, figure] : line_figures) line[name] = each.*figure;
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
                                   {"in_variables", each.in_variables},
                                   {"distance", each.distance}});
    result["advice"] = json::array();
    for (const handles_advice& each : advice.pieces)
        result["advice"].push_back(as_json(each, run.counts.lines[each.line]));
    result["places"] = json::array();
    for (const place_to_look_at& each : advice.places)
        result["places"].push_back({{"copy", each.line},
                                    {"releases", each.releases},
                                    {"count", each.count},
                                    {"nanoseconds", as_json(each.nanoseconds)}});
    return result;
}

handles_run from_json(const json& file) {
    handles_run run;
    if (file.at("format") != format || file.at("version") != version)
        throw handles_error(
            fmt::format("is not a file of `freehold handles`, version {}; count "
                        "again with this version of freehold",
                        version));
    if (file.at("mode") != "count")
        throw handles_error(
            "is a sampled run; the shares of two sampled runs are too noisy to "
            "compare: count again without --sample");
    file.at("command").get_to(run.command);
    run.exit_status = file.at("exit_status");
    run.counts.processes = file.at("processes");
    run.counts.most_threads = file.at("threads");
    for (const auto& [name, figure] : cost_figures)
        run.costs.*figure = interval_of(file.at("nanoseconds_per_operation").at(name));
    if (file.contains("cpu_seconds_without_valgrind"))
        run.cpu_seconds = file.at("cpu_seconds_without_valgrind");
    for (const json& each : file.at("lines")) {
        counted_line line;
        line.handle = each.at("handle");
        line.pointee = each.at("pointee");
        line.function = each.at("function");
        line.file = each.at("file");
        line.line = each.at("line");
        line.is_called = each.at("called");
        line.is_merged = each.value("merged", false);
        for (const auto& [name, figure] : line_figures) line.*figure = each.at(name);
        run.counts.lines.push_back(std::move(line));
    }
    name_files(run.counts.lines);
    return run;
}

}  // namespace

void save_run(const handles_run& run, const given_advice& advice, const fs::path& file) {
    // A file's name may be invalid UTF-8.
    replace_file(file,
                 as_json(run, advice).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
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
