// SPDX-License-Identifier: BSL-1.0
// What each policy's settings do in each workload, and how they compare at the same idle bytes.
#include "report/sections/buffers.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::string suite_name = "buffers";
const std::string hits = ": hit rate";

/// As lab/README.md lists them; others come behind.
const std::array<std::string, 6> known_workloads{"article", "article, steep", "network",
                                                 "pages",   "phases",         "across threads"};

std::vector<std::string> workloads_of(const setting& where) {
    std::set<std::string> found;
    for (const auto& cell : find_suite(where, suite_name)->measurements) {
        if (cell.lab != where.lab || !cell.test.ends_with(hits)) continue;
        found.insert(cell.test.substr(0, cell.test.size() - hits.size()));
    }
    std::vector<std::string> ordered;
    for (const auto& known : known_workloads) {
        if (found.erase(known) != 0) ordered.push_back(known);
    }
    ordered.insert(ordered.end(), found.begin(), found.end());
    return ordered;
}

policy_front front_of(const buffers_figures& figures, const setting& where, const contender& who,
                      const std::string& workload) {
    const auto all = [&](const char* test) {
        return figures.sizes(where, who.name, workload + test);
    };
    const auto used = all(": used");
    const auto idle = all(": idle");
    const auto calls = all(": allocator calls");
    const auto saved = all(": time saved");
    const auto unused = all(": unused");
    policy_front front{who, {}};
    for (const auto* cell : find_sizes(where, suite_name, who, workload + hits)) {
        const auto n = cell->n.value_or(0);
        const bool is_whole = used.contains(n) && idle.contains(n) && calls.contains(n);
        if (!is_whole) continue;
        front_point point{cell->note.value_or(""), idle.at(n).value, estimate_of(*cell).value,
                          used.at(n).value, calls.at(n).value};
        if (const auto priced = saved.find(n); priced != saved.end()) {
            point.saved = priced->second.value;
            point.is_priced = true;
        }
        if (const auto known = unused.find(n); known != unused.end()) {
            point.unused = known->second.value;
            point.knows_unused = true;
        }
        front.points.push_back(std::move(point));
    }
    return front;
}

}  // namespace

double policy_front::at(double bytes, double front_point::*figure, double least_used,
                        double front_point::*counted) const {
    auto sorted = points;
    std::erase_if(sorted, [&](const front_point& point) { return point.used < least_used; });
    std::stable_sort(sorted.begin(), sorted.end(), [&](const front_point& a, const front_point& b) {
        return a.*counted < b.*counted;
    });
    double reached_at = 0;
    double most = 0;
    for (const auto& point : sorted) {
        const double here = std::max(most, point.*figure);
        if (point.*counted > bytes) {
            return most + (here - most) * (bytes - reached_at) / (point.*counted - reached_at);
        }
        reached_at = point.*counted;
        most = here;
    }
    return most;
}

const policy_front* workload_fronts::find(const std::string& policy) const {
    const auto found = std::find_if(policies.begin(), policies.end(),
                                    [&](const auto& front) { return front.who.name == policy; });
    return found == policies.end() ? nullptr : &*found;
}

std::vector<workload_fronts> fronts_of(const buffers_figures& figures) {
    std::vector<workload_fronts> all;
    std::set<const labelled_results*> played;
    for (const auto& where : figures.settings()) {
        if (played.contains(where.source)) continue;
        for (const auto& workload : workloads_of(where)) {
            played.insert(where.source);
            workload_fronts fronts{workload, workload, &where, {}};
            for (const auto& who : figures.contenders()) {
                auto front = front_of(figures, where, who, workload);
                if (!front.points.empty()) fronts.policies.push_back(std::move(front));
            }
            if (!fronts.policies.empty()) all.push_back(std::move(fronts));
        }
    }
    if (played.size() > 1) {
        for (auto& fronts : all) fronts.label += ", " + fronts.where->label;
    }
    return all;
}

namespace {

bool is_own(const policy_front& front) {
    return front.who.name.starts_with(own_policy);
}

}  // namespace

std::optional<double> best_own(const workload_fronts& fronts, double idle,
                               double front_point::*figure) {
    std::optional<double> best;
    for (const auto& front : fronts.policies) {
        if (is_own(front)) best = std::max(best.value_or(0), front.at(idle, figure));
    }
    return best;
}

std::optional<double> best_other(const workload_fronts& fronts, double bytes,
                                 double front_point::*figure, double least_used,
                                 double front_point::*counted) {
    std::optional<double> best;
    for (const auto& front : fronts.policies) {
        if (is_own(front) || front.who.name == offline_optimum) continue;
        best = std::max(best.value_or(0), front.at(bytes, figure, least_used, counted));
    }
    return best;
}

}  // namespace freehold
