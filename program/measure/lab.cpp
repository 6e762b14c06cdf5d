// SPDX-License-Identifier: BSL-1.0
#include "measure/lab.hpp"

#include "measure/subprocess.hpp"
#include "results/json_node.hpp"
#include "results/result_json.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

constexpr std::chrono::seconds time_to_describe{30};
constexpr std::size_t longest_description = 1 << 20;

std::string name_of(const std::filesystem::path& executable) {
    return std::filesystem::absolute(executable).lexically_normal().parent_path().filename();
}

std::vector<std::filesystem::path> placements_of(const std::filesystem::path& executable) {
    std::vector<std::filesystem::path> placements = {executable};
    for (int number = 2;; ++number) {
        auto placed = executable;
        placed += fmt::format("-placed-{}", number);
        if (!std::filesystem::is_regular_file(placed)) return placements;
        placements.push_back(std::move(placed));
    }
}

lab parse(const std::filesystem::path& executable, const std::string& text) {
    const auto document = nlohmann::json::parse(text);
    const json_node root(document);
    if (root.member("format").string() != "freehold-lab")
        root.refuse("its \"format\" is not \"freehold-lab\"");
    if (const auto version = root.member("version").integer(); version != 2)
        root.refuse(
            fmt::format("uses version {} of the protocol, not 2; build the lab and the "
                        "program from the same sources",
                        version));

    lab result;
    result.placements = placements_of(executable);
    result.description = {name_of(executable), root.member("compiler").string(),
                          root.member("flags").string(), root.member("standard_library").string(),
                          static_cast<std::int64_t>(result.placements.size())};
    const auto library = root.member("library");
    result.library.version = library.member("version").string();
    if (const auto commit = library.find("commit"); commit && !commit->string().empty())
        result.library.commit = commit->string();
    for (const auto& node : root.member("families").elements())
        result.families.push_back(family_from(node));
    for (const auto& node : root.member("subjects").elements())
        result.subjects.push_back(subject_from(node));
    for (const auto& node : root.member("suites").elements())
        result.suites.push_back(suite_description_from(node));
    return result;
}

}  // namespace

const suite_description* lab::find(const std::string& suite) const {
    const auto found =
        std::find_if(suites.begin(), suites.end(),
                     [&](const suite_description& each) { return each.key == suite; });
    return found == suites.end() ? nullptr : &*found;
}

std::int64_t lab::subjects_present() const {
    return std::count_if(subjects.begin(), subjects.end(),
                         [](const subject& each) { return !each.missing; });
}

lab describe_lab(const std::filesystem::path& executable, const interrupts& interrupts) {
    const auto refuse = [&](const std::string& why) {
        return lab_error(fmt::format("{}: not a freehold lab: {}", executable.string(), why));
    };
    std::string text;
    subprocess describe;
    describe.command = {executable.string(), "describe"};
    describe.read_line = [&](std::string_view line) {
        text += line;
        text += '\n';
        if (text.size() > longest_description) throw subprocess_error("never stops printing");
    };
    describe.time_limit = time_to_describe;
    try {
        const subprocess_end end = run_subprocess(describe, interrupts);
        if (end.interrupted) throw lab_error("interrupted");
        if (!end.succeeded()) throw refuse(end.description());
        return parse(executable, text);
    } catch (const subprocess_error& error) {
        throw refuse(error.what());
    } catch (const json_error& error) {
        throw refuse(error.what());
    } catch (const nlohmann::json::exception&) {
        throw refuse("what `describe` prints is not JSON");
    }
}

std::vector<lab> describe_labs(const std::vector<std::filesystem::path>& executables,
                               const interrupts& interrupts) {
    std::vector<lab> labs;
    for (const auto& executable : executables) {
        lab next = describe_lab(executable, interrupts);
        for (const lab& each : labs) {
            if (each.description.name == next.description.name)
                throw lab_error(fmt::format(
                    "two labs are called \"{}\": {} and {}; a lab is called "
                    "after its folder",
                    each.description.name, each.placements.front().string(), executable.string()));
            if (each.library != next.library)
                throw lab_error(fmt::format(
                    "the labs {} and {} measure different commits of the library; build them again",
                    each.description.name, next.description.name));
        }
        labs.push_back(std::move(next));
    }
    return labs;
}

std::vector<std::string> suites_of(const std::vector<lab>& labs) {
    std::vector<std::string> names;
    for (const lab& each : labs)
        for (const suite_description& suite : each.suites)
            if (std::find(names.begin(), names.end(), suite.key) == names.end())
                names.push_back(suite.key);
    return names;
}

}  // namespace freehold
