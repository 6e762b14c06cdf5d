// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_command.hpp"

#include "handles/counted_lines.hpp"
#include "handles/known_handles.hpp"
#include "results/replace_file.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// As a shell finds it; empty if it does not.
fs::path in_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    return support::find_program(name).value_or(fs::path());
}

void refuse_what_cannot_be_counted(const std::string& program) {
    const fs::path file = in_path(program);
    std::error_code none;
    if (file.empty() || !fs::is_regular_file(file, none))
        throw handles_error(fmt::format("{}: does not exist", program));
    if (::access(file.c_str(), X_OK) != 0)
        throw handles_error(fmt::format("{}: cannot be run: {}", program, std::strerror(errno)));
    std::array<char, 5> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    if (std::memcmp(head.data(), "\177ELF", 4) == 0 && head[4] != 2)
        throw handles_error(fmt::format(
            "{}: is a program of 32 bits; only those of 64 bits can be counted", program));
}

fs::path tool_folder() {
    const fs::path folder = support::folder_of_parts("handles", FREEHOLD_INSTALLED_TOOL);
    std::error_code none;
    if (!fs::exists(folder / "freehold_handles-amd64-linux", none))
        throw handles_error(
            fmt::format("{}: has no Valgrind tool; build the target "
                        "freehold_handles_tool",
                        folder.string()));
    return folder;
}

/// Valgrind takes its tools and their files from one folder.
fs::path linked_together(const fs::path& run, const fs::path& tool) {
    const fs::path folder = run / "lib";
    fs::create_directory(folder);
    for (const fs::path& from : {fs::path(FREEHOLD_VALGRIND_LIBEXEC), tool})
        for (const auto& each : fs::directory_iterator(from)) {
            std::error_code is_there;
            fs::create_symlink(each.path(), folder / each.path().filename(), is_there);
        }
    return folder;
}

int count(const handles_options& options, const fs::path& run, const fs::path& tool) {
    if (!support::find_program("valgrind"))
        throw handles_error(
            "valgrind is not installed (Debian and Ubuntu: apt-get install "
            "valgrind)");
    support::program_to_start child;
    child.environment = {"VALGRIND_LIB=" + linked_together(run, tool).string()};
    child.command = {"valgrind",
                     "-q",
                     "--tool=freehold_handles",
                     "--log-file=" + (run / "log.%p").string(),
                     fmt::format("--trace-children={}", options.children ? "yes" : "no"),
                     "--freehold-folder=" + run.string(),
                     "--freehold-sites=" + (tool / "sites").string()};
    child.command.insert(child.command.end(), options.command.begin(), options.command.end());
    return support::exit_status_of(support::wait_for(support::start(child)));
}

nlohmann::json as_json(const handle_counts& all, int status) {
    nlohmann::json result = {{"format", "freehold-handles"},
                             {"version", 1},
                             {"exit_status", status},
                             {"processes", all.processes},
                             {"threads", all.most_threads},
                             {"without_debug_information", all.without_debug_information}};
    result["lines"] = nlohmann::json::array();
    for (const counted_line& each : all.lines)
        result["lines"].push_back({{"handle", each.handle},
                                   {"pointee", each.pointee},
                                   {"function", each.function},
                                   {"file", each.file},
                                   {"line", each.line},
                                   {"copies", each.copies},
                                   {"releases", each.releases},
                                   {"last_releases", each.last_releases},
                                   {"unique_releases", each.unique_releases},
                                   {"locks", each.locks},
                                   {"weak_copies", each.weak_copies},
                                   {"weak_releases", each.weak_releases},
                                   {"objects", each.objects},
                                   {"would_be_plain", each.would_be_plain},
                                   {"foreign", each.foreign},
                                   {"threads", std::popcount(each.threads)}});
    result["pairs"] = nlohmann::json::array();
    for (const removable_pair& each : all.pairs)
        result["pairs"].push_back({{"copy", each.copy},
                                   {"release", each.release},
                                   {"count", each.count},
                                   {"repeats", each.repeats}});
    return result;
}

std::string place_of(const counted_line& line) {
    return line.file.empty()
               ? line.function
               : fmt::format("{}:{}", fs::path(line.file).filename().string(), line.line);
}

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

struct type_total {
    std::uint64_t operations = 0, last = 0, sole = 0, left = 0, left_shared = 0, foreign = 0;
    std::uint64_t threads = 0;
};

void print_types(const handle_counts& all) {
    std::map<std::string, type_total> types;
    for (const counted_line& each : all.lines) {
        if (each.pointee.empty()) continue;
        type_total& of = types[each.pointee];
        of.operations += each.operations();
        of.last += each.last_releases;
        of.sole += each.sole;
        of.left += each.left;
        of.left_shared += each.left_shared;
        of.foreign += each.foreign;
        of.threads |= each.threads;
    }
    std::vector<std::pair<std::string, type_total>> rows(types.begin(), types.end());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.second.operations > b.second.operations;
    });
    if (rows.size() > 6) rows.resize(6);
    for (const auto& [name, of] : rows) {
        if (of.last != 0 && of.sole == of.last && of.left_shared == 0)
            fmt::print("  {}: no object had a second owner in this run: one owner suffices\n",
                       shortened(name, 60));
        else if (all.most_threads > 1 && of.foreign == 0 && of.operations != 0)
            fmt::print("  {}: each object was counted by one thread only, in this run\n",
                       shortened(name, 60));
    }
}

void print(const handle_counts& all) {
    std::uint64_t operations = 0;
    std::uint64_t plain = 0;
    std::uint64_t unique = 0;
    for (const counted_line& each : all.lines) {
        operations += each.operations();
        plain += each.would_be_plain;
        unique += each.unique_releases;
    }
    fmt::print(
        "{} operations on counts in {} process{}; {} of them would not lock, as no second "
        "thread had started; {} last releases without counting\n",
        operations, all.processes, all.processes == 1 ? "" : "es", plain, unique);
    fmt::print("\n{:>12} {:>12} {:>10} {:>10} {:>9}  {:<28} {}\n", "copies", "releases", "weak",
               "locks", "objects", "line", "type");
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(most, all.lines.size()); ++i) {
        const counted_line& each = all.lines[i];
        fmt::print("{:>12} {:>12} {:>10} {:>10} {:>9}  {:<28} {}\n", each.copies, each.releases,
                   each.weak_copies + each.weak_releases, each.locks, each.objects,
                   shortened(place_of(each), 28),
                   shortened(each.pointee.empty() ? each.handle : each.pointee, 40));
    }
    if (all.lines.size() > most) fmt::print("  and {} more lines\n", all.lines.size() - most);

    if (!all.pairs.empty())
        fmt::print(
            "\nA copy and its release with nothing between them that needs the copy (pass a "
            "reference, or move):\n");
    for (std::size_t i = 0; i < std::min<std::size_t>(6, all.pairs.size()); ++i) {
        const removable_pair& each = all.pairs[i];
        const counted_line& copy = all.lines[each.copy];
        fmt::print("{:>12} {}, released at {}: {}{}\n", each.count, place_of(copy),
                   place_of(all.lines[each.release]), shortened(copy.pointee, 40),
                   each.repeats * 2 > each.count ? "; repeated on the same object" : "");
    }
    fmt::print("\n");
    print_types(all);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, all.without_debug_information.size()); ++i)
        fmt::print("  {}: has no debug information; build it with -g to see its lines\n",
                   all.without_debug_information[i]);
}

}  // namespace

int handles_command(const handles_options& options) {
    if (constexpr std::string_view lacking = FREEHOLD_HANDLES_LACKS; !lacking.empty())
        throw handles_error(
            fmt::format("was built without {0}, which it takes to count (Debian and "
                        "Ubuntu: apt-get install {0}; then build it again)",
                        lacking));
    refuse_what_cannot_be_counted(options.command.front());
    if (!options.describe.empty()) known_handles(options.describe);
    const fs::path tool = tool_folder();
    const support::temporary_folder run("handles");
    if (!options.describe.empty()) fs::copy_file(options.describe, run / "describe.json");
    const int status = count(options, run.path(), tool);
#ifdef FREEHOLD_HANDLES_COUNT
    const handle_counts all = read_counts(run.path(), options.describe);
#else
    const handle_counts all;
#endif
    if (all.processes == 0)
        throw handles_error(fmt::format("{}: left no counts; it ended with status {}",
                                        options.command.front(), status));
    if (status != 0)
        fmt::print(stderr, "freehold: {} ended with status {}; what it did until then is counted\n",
                   options.command.front(), status);
    if (options.json) replace_file(*options.json, as_json(all, status).dump(1) + "\n");
    if (all.lines.empty())
        fmt::print(
            "{} counted no owners: none of the known handles was used, or it is built "
            "without -g and inline\n",
            options.command.front());
    else
        print(all);
    return 0;
}

}  // namespace freehold
