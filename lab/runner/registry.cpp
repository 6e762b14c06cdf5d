// SPDX-License-Identifier: BSL-1.0
#include "runner/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace lab {
namespace {

struct registered_cells {
    std::string suite;
    add_cells add;
    std::vector<subject> subjects;
    /// Set if the cells belong to these subjects alone.
    bool (*has)(const subject&, std::string_view) = nullptr;
    std::span<const std::string_view> cases = {};
};

/// Made on first use: registrations are constructed before main, in any order.
std::vector<registered_cells>& all_registrations() {
    static std::vector<registered_cells> all;
    return all;
}

void add_to(plan& into, const registered_cells& cells, const selection& chosen) {
    if (cells.has == nullptr) return cells.add(into, chosen);
    std::vector<subject> wanted = cells.subjects;
    std::erase_if(wanted, [&](const subject& each) { return !chosen.wants(each); });
    if (wanted.empty()) return;
    if (cells.add != nullptr) return cells.add(into, chosen);
    for (const subject& each : wanted) {
        for (const std::string_view one : cells.cases) {
            if (!cells.has(each, one)) continue;
            into.skipped.push_back({each.key, std::string(one), each.missing});
        }
    }
}

bool shown_before(const subject& a, const subject& b) {
    return std::tuple(a.family, a.order, a.name.size(), a.name) <
           std::tuple(b.family, b.order, b.name.size(), b.name);
}

}  // namespace

registration::registration(const char* suite, add_cells add, std::vector<subject> subjects) {
    all_registrations().push_back({suite, add, std::move(subjects)});
}

registration::registration(const char* suite, add_cells add, std::vector<subject> subjects,
                           std::span<const std::string_view> cases,
                           bool (*has)(const subject&, std::string_view)) {
    all_registrations().push_back({suite, add, std::move(subjects), has, cases});
}

std::vector<subject> subjects_of(std::initializer_list<identity> all) {
    std::vector<subject> subjects;
    for (const identity& each : all) subjects.push_back(subject_of(each));
    return subjects;
}

void merge_subjects(std::vector<subject>& all, const std::vector<subject>& more) {
    for (const subject& each : more) {
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&](const subject& s) { return s.key == each.key; });
        if (same == all.end()) {
            all.insert(std::upper_bound(all.begin(), all.end(), each, shown_before), each);
            continue;
        }
        // One suite may know more about a subject than another: its version, or why it is missing
        // there.
        subject merged = *same;
        if (merged.version.empty()) {
            merged.version = each.version;
            merged.origin = each.origin;
        }
        merged.single |= each.single;
        if (each.missing.empty()) merged.missing.clear();
        if (merged.name != each.name || merged.family != each.family ||
            merged.order != each.order || merged.folded != each.folded) {
            throw std::logic_error("the subject " + each.key + " is described in two ways");
        }
        *same = std::move(merged);
    }
}

std::vector<subject> registered_subjects() {
    std::vector<subject> all;
    for (const registered_cells& each : all_registrations()) merge_subjects(all, each.subjects);
    return all;
}

bool has_kernels(std::string_view suite) {
    const auto& all = all_registrations();
    return std::any_of(all.begin(), all.end(),
                       [&](const registered_cells& each) { return each.suite == suite; });
}

plan make_plan(std::string_view suite, const selection& chosen) {
    plan cells;
    for (const registered_cells& each : all_registrations()) {
        if (each.suite == suite) add_to(cells, each, chosen);
    }
    return cells;
}

}  // namespace lab
