// SPDX-License-Identifier: BSL-1.0
#include "check/clang_tidy.hpp"

#include "support/process.hpp"
#include "support/programs.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace fs = std::filesystem;

namespace {

constexpr std::array versions = {19, 18, 17, 16, 15, 14};

std::string escaped_for_regex(const std::string& text) {
    constexpr std::string_view special = "\\^$.|?*+()[]{}";
    std::string result;
    for (const char each : text) {
        if (special.find(each) != std::string_view::npos) result += '\\';
        result += each;
    }
    return result;
}

}  // namespace

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
    child.environment = {fmt::format("FREEHOLD_CHECK_MIN_BYTES={}", options.min_bytes)};
    child.command = {tool.executable, "-load", tool.plugin.string(),
                     "--checks=-*,freehold-hidden-zeroing", "--warnings-as-errors=-*", "--quiet",
                     // Flags that only g++ knows are no errors here.
                     "--extra-arg=-Wno-error", "--extra-arg=-Wno-unknown-warning-option",
                     "--extra-arg=-Qunused-arguments",
                     // g++ gives at most a warning for these, but clang gives an error.
                     "--extra-arg=-Wno-c++11-narrowing", "--extra-arg=-Wno-invalid-constexpr",
                     "--extra-arg=-Wno-missing-template-arg-list-after-template-kw",
                     fmt::format("--header-filter=^{}/", escaped_for_regex(project.string()))};
    if (fix) child.command.emplace_back("--fix");
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
