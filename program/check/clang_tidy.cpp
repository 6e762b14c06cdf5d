// SPDX-License-Identifier: BSL-1.0
#include "check/clang_tidy.hpp"

#include "check/findings.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace freehold {
namespace fs = std::filesystem;

constexpr std::array versions = {19, 18, 17, 16, 15, 14};

clang_tidy find_clang_tidy() {
    const fs::path folder = support::folder_of_parts("check", FREEHOLD_INSTALLED_PLUGINS);
    int newest_plugin = 0;
    for (const int version : versions) {
        const fs::path plugin = folder / fmt::format("freehold-check-{}.so", version);
        std::error_code none;
        if (!fs::is_regular_file(plugin, none)) continue;
        if (newest_plugin == 0) newest_plugin = version;
        const std::string executable = fmt::format("clang-tidy-{}", version);
        if (support::find_program(executable)) return {executable, plugin};
    }
    if (newest_plugin == 0)
        throw check_error(
            fmt::format("{}: has no plug-in for clang-tidy; scripts/install of Freehold installs "
                        "what it takes, and builds it",
                        folder.string()));
    throw check_error(fmt::format(
        "clang-tidy-{0} is not installed; scripts/install of Freehold installs it (Debian and "
        "Ubuntu: apt-get install clang-tidy-{0})",
        newest_plugin));
}

fs::path compilation_database(const check_options& options, const fs::path& file) {
    constexpr const char* name = "compile_commands.json";
    constexpr const char* remedy =
        "configure with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give the compiler's flags "
        "after --";
    std::error_code none;
    if (options.build) {
        if (fs::is_regular_file(*options.build / name, none)) return *options.build;
        throw check_error(
            fmt::format("{}: does not exist; {}", (*options.build / name).string(), remedy));
    }
    for (fs::path folder = fs::absolute(file).parent_path();; folder = folder.parent_path()) {
        for (const fs::path& each : {folder, folder / "build"})
            if (fs::is_regular_file(each / name, none)) return each;
        if (folder == folder.parent_path()) break;
    }
    throw check_error(
        fmt::format("{}: no {} in a folder above it, nor in build/ there; name its "
                    "folder with -p: {}",
                    file.string(), name, remedy));
}

namespace {

/// True if the compiler takes the file for C.
bool is_c(const fs::path& file, const std::vector<std::string>& command, bool has_compiler) {
    if (file.extension() != ".c") return false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& each = command[i];
        if (each == "-xc++" || each == "--driver-mode=g++" ||
            (each == "c++" && i != 0 && command[i - 1] == "-x"))
            return false;
    }
    return !has_compiler || command.empty() ||
           fs::path(command.front()).filename().string().find("++") == std::string::npos;
}

std::vector<std::string> words_of(const nlohmann::json& entry) {
    if (entry.contains("arguments")) return entry["arguments"].get<std::vector<std::string>>();
    std::istringstream words(entry.value("command", ""));
    return {std::istream_iterator<std::string>(words), {}};
}

/// A compile_commands.json, and its entries by the file that they compile.
class compilation_commands {
public:
    explicit compilation_commands(fs::path path) : path_(std::move(path)) {
        std::ifstream stream(path_);
        entries_ = nlohmann::json::parse(stream, nullptr, false);
        if (!entries_.is_array() || !std::all_of(entries_.begin(), entries_.end(), is_entry))
            throw check_error(fmt::format("{}: is not a compilation database", path_.string()));
        if (entries_.empty())
            throw check_error(
                fmt::format("{}: names no file; configure the project again, or give "
                            "the compiler's flags after --",
                            path_.string()));
        for (const nlohmann::json& each : entries_) by_file_[file_of(each)].push_back(&each);
    }
    compilation_commands(const compilation_commands&) = delete;
    compilation_commands& operator=(const compilation_commands&) = delete;

    [[nodiscard]] bool is_cpp(const fs::path& file) {
        const auto found = by_file_.find(fs::absolute(file).lexically_normal());
        if (found != by_file_.end()) {
            const nlohmann::json& first = *found->second.front();
            check_folder(first);
            return !is_c(file, words_of(first), true);
        }
        // clang-tidy takes the flags of another file for one that is not named.
        if (!std::exchange(has_checked_folders_, true))
            for (const nlohmann::json& each : entries_) check_folder(each);
        return !is_c(file, {}, false);
    }

    /// Those of the file's entries, or of all entries if it has none.
    [[nodiscard]] std::vector<fs::path> folders_for(const fs::path& file) const {
        std::vector<fs::path> result;
        const auto add = [&](const nlohmann::json& entry) {
            fs::path folder = entry["directory"].get<std::string>();
            if (std::find(result.begin(), result.end(), folder) == result.end())
                result.push_back(std::move(folder));
        };
        const auto found = by_file_.find(fs::absolute(file).lexically_normal());
        if (found != by_file_.end())
            for (const nlohmann::json* each : found->second) add(*each);
        else
            for (const nlohmann::json& each : entries_) add(each);
        return result;
    }

private:
    static bool is_entry(const nlohmann::json& entry) {
        const auto is_text = [&](const char* name) {
            return entry.contains(name) && entry[name].is_string();
        };
        return entry.is_object() && is_text("directory") && is_text("file");
    }

    static fs::path file_of(const nlohmann::json& entry) {
        return (fs::path(entry["directory"].get<std::string>()) / entry["file"].get<std::string>())
            .lexically_normal();
    }

    void check_folder(const nlohmann::json& entry) const {
        const std::string folder = entry["directory"];
        std::error_code none;
        if (!fs::is_directory(folder, none))
            throw check_error(fmt::format(
                "{}: names the folder {}, which does not exist; configure the project again",
                path_.string(), folder));
    }

    fs::path path_;
    nlohmann::json entries_;
    std::map<fs::path, std::vector<const nlohmann::json*>> by_file_;
    bool has_checked_folders_ = false;
};

compilation_commands& commands_for(const check_options& options, const fs::path& file) {
    static std::map<fs::path, compilation_commands> known;
    const fs::path database = compilation_database(options, file) / "compile_commands.json";
    return known.try_emplace(database, database).first->second;
}

}  // namespace

bool is_cpp(const check_options& options, const fs::path& file) {
    if (options.has_flags) return !is_c(file, options.flags, false);
    return commands_for(options, file).is_cpp(file);
}

std::vector<fs::path> folders_of_names(const check_options& options, const fs::path& file) {
    if (options.has_flags) return {fs::current_path()};
    return commands_for(options, file).folders_for(file);
}

fs::path project_of(const fs::path& file) {
    std::error_code none;
    const fs::path own = fs::absolute(file).parent_path();
    for (fs::path folder = own; folder != folder.parent_path(); folder = folder.parent_path())
        if (fs::exists(folder / ".git", none)) return folder;
    return own;
}

tidy_run run_clang_tidy(const clang_tidy& tool, const check_options& options, const fs::path& file,
                        const fs::path& project, bool fix) {
    support::program_to_start child;
    child.environment = {fmt::format("FREEHOLD_CHECK_MIN_BYTES={}", options.min_bytes),
                         "FREEHOLD_CHECK_PROJECT=" + project.string()};
    child.command = {tool.executable, "-load", tool.plugin.string(),
                     fmt::format("--checks=-*,{},{}", zeroing_rule.name, ring_rule.name),
                     "--warnings-as-errors=-*", "--quiet",
                     // Flags that only g++ knows are no errors here.
                     "--extra-arg=-Wno-error", "--extra-arg=-Wno-unknown-warning-option",
                     "--extra-arg=-Qunused-arguments",
                     // g++ gives at most a warning for these, but clang gives an error.
                     "--extra-arg=-Wno-c++11-narrowing", "--extra-arg=-Wno-invalid-constexpr",
                     "--extra-arg=-Wno-missing-template-arg-list-after-template-kw",
                     // clang-tidy defines it, and code that asks for it is not what is compiled.
                     "--extra-arg=-U__clang_analyzer__",
                     // The plug-in leaves out what is not in the project.
                     "--header-filter=.*"};
    // Flags that clang does not know are errors that prevent --fix.
    if (fix) child.command.emplace_back("--fix-errors");
    if (!fix) child.environment.emplace_back("FREEHOLD_CHECK_PROPOSALS=1");
    if (options.verbose) child.environment.emplace_back("FREEHOLD_CHECK_VERBOSE=1");
    if (!options.has_flags) {
        child.command.emplace_back("-p");
        child.command.push_back(compilation_database(options, file).string());
    }
    child.command.push_back(fs::absolute(file).lexically_normal().string());
    if (options.has_flags) {
        child.command.emplace_back("--");
        child.command.insert(child.command.end(), options.flags.begin(), options.flags.end());
    }
    const support::finished_process finished = support::run(std::move(child));
    return {finished.status, finished.output};
}

}  // namespace freehold
