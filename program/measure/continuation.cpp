// SPDX-License-Identifier: BSL-1.0
#include "measure/continuation.hpp"

#include <algorithm>
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
    return fmt::format("{} [{}] {} {}", lab.name, lab.compiler, lab.flags, lab.standard_library);
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
                        "name another file with -o to measure from the start",
                        path_.string(), what, there, here));
    }

private:
    std::filesystem::path path_;
};

/// Replaces the element with the same key, or inserts one after its predecessor in `described`. So
/// the order of the newest description is kept.
template <class Element>
void add_in_order(std::vector<Element>& known, const std::vector<Element>& described) {
    auto place = known.begin();
    for (const Element& each : described) {
        const auto same = std::find_if(known.begin(), known.end(),
                                       [&](const Element& other) { return other.key == each.key; });
        if (same != known.end()) {
            *same = each;
            place = same + 1;
        } else {
            place = known.insert(place, each) + 1;
        }
    }
}

}  // namespace

void add_description(result_file& results, const lab& lab) {
    const auto known = std::find_if(
        results.labs.begin(), results.labs.end(),
        [&](const lab_description& each) { return each.name == lab.description.name; });
    if (known == results.labs.end()) results.labs.push_back(lab.description);
    add_in_order(results.families, lab.families);
    // If one lab can measure a subject, it is not missing, even if another lab lacks it.
    auto described = lab.subjects;
    for (subject& each : described) {
        const subject* other = results.find_subject(each.key);
        if (each.missing && other != nullptr && !other->missing) each = *other;
    }
    add_in_order(results.subjects, described);
    for (const auto& each : lab.suites) results.suites[each.key].description = each;
}

result_file begin_or_continue(const std::filesystem::path& path, result_file fresh) {
    if (!std::filesystem::exists(path)) return fresh;
    result_file begun = load_results(path);
    const comparison_of_beginnings must(path);
    must.same("mode", begun.mode, fresh.mode);
    must.same("filter", filter_text(begun.filter), filter_text(fresh.filter));
    must.same("library", library_text(begun.library), library_text(fresh.library));
    for (const auto& lab : begun.labs)
        for (const auto& same : fresh.labs)
            if (lab.name == same.name) must.same("lab", lab_text(lab), lab_text(same));
    for (const char* name : {"processor", "kernel"})
        must.same(name, fact_named(name, begun.environment), fact_named(name, fresh.environment));
    return begun;
}

std::vector<lab> labs_to_measure(const result_file& results, const std::string& suite,
                                 const std::vector<lab>& labs) {
    const auto known = results.suites.find(suite);
    std::vector<lab> left;
    for (const lab& each : labs) {
        if (each.find(suite) == nullptr) continue;
        if (known != results.suites.end() && known->second.complete) {
            const auto& by = known->second.measured_by;
            const auto then = by.find(each.description.name);
            if (then != by.end() && then->second >= each.subjects_present()) continue;
        }
        left.push_back(each);
    }
    return left;
}

}  // namespace freehold
