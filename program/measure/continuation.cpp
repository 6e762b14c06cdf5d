// SPDX-License-Identifier: BSL-1.0
#include "measure/continuation.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/ranges.h>

namespace freehold {
namespace {

std::string library_text(const library_version& library) {
    return fmt::format("{} ({})", library.version, library.commit.value_or("unknown commit"));
}

std::string lab_text(const lab_description& lab) {
    std::string text =
        fmt::format("{} [{}] {} {}", lab.name, lab.compiler, lab.flags, lab.standard_library);
    for (const peer& each : lab.peers) text += fmt::format(", {} {}", each.name, each.version);
    return text;
}

std::string names_of(const std::vector<lab_description>& labs) {
    std::vector<std::string> names;
    for (const auto& lab : labs) names.push_back(lab.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string fact_named(std::string_view name, const environment& environment) {
    for (const fact& each : environment.facts)
        if (each.name == name) return each.value;
    return "unknown";
}

std::string filter_text(const std::optional<std::string>& filter) {
    return filter ? fmt::format("'{}'", *filter) : "none";
}

class comparison_of_beginnings {
public:
    explicit comparison_of_beginnings(std::filesystem::path path) : path_(std::move(path)) {}

    void same(const char* what, const std::string& there, const std::string& here) const {
        if (there == here) return;
        throw result_error(
            fmt::format("{}: cannot be continued: its {} is {}, now it would be {}; "
                        "name another file with -o to measure anew",
                        path_.string(), what, there, here));
    }

private:
    std::filesystem::path path_;
};

}  // namespace

result_file begin_or_continue(const std::filesystem::path& path, result_file fresh) {
    if (!std::filesystem::exists(path)) return fresh;
    result_file begun = load_results(path);
    const comparison_of_beginnings must(path);
    must.same("mode", begun.mode, fresh.mode);
    must.same("filter", filter_text(begun.filter), filter_text(fresh.filter));
    must.same("library", library_text(begun.library), library_text(fresh.library));
    must.same("set of labs", names_of(begun.labs), names_of(fresh.labs));
    for (std::size_t i = 0; i < begun.labs.size(); ++i)
        must.same("lab", lab_text(begun.labs[i]), lab_text(fresh.labs[i]));
    for (const char* name : {"processor", "kernel"})
        must.same(name, fact_named(name, begun.environment), fact_named(name, fresh.environment));
    return begun;
}

}  // namespace freehold
