// SPDX-License-Identifier: BSL-1.0
#include "report/grouping.hpp"

#include "report/sections/competitors.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace freehold {

namespace {

/// As many rows as fit a screen, and as many names as fit beside the ends of a plot's lines.
constexpr std::size_t most_without_groups = 16;

/// A competitor without a second thread is a detail of it, but for the standard's handle itself.
bool is_central_row(const contender& who) {
    return is_central(who.name) && (who.head == who.name || who.name == "std::shared_ptr");
}

std::vector<contender> contenders_in(const std::vector<setting>& settings) {
    std::set<std::string> suites;
    for (const auto& where : settings) {
        for (const auto& [name, measured] : where.source->results.suites) suites.insert(name);
    }
    std::vector<contender> all;
    for (const auto& suite : suites) {
        for (auto& who : contenders_of(settings, suite)) {
            const auto same = [&](const contender& known) { return known.head == who.head; };
            if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(who));
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const contender& a, const contender& b) {
        return order_of(a.name) < order_of(b.name);
    });
    return all;
}

class grouping {
public:
    explicit grouping(const std::vector<report_competitor>& competitors) {
        for (const auto& each : competitors) heads_.insert(each.head);
    }

    void mark(report_table& table) const {
        std::set<std::string> names;
        for (const auto& row : table.rows) names.insert(row.head);
        table.grouped = too_many(names);
    }

    void mark(report_code&) const {}

    void mark(report_plot& plot) const {
        std::set<std::string> names;
        for (const auto& series : plot.series) {
            names.insert(series.name);
            for (const auto& point : series.points) names.insert(point.category);
        }
        plot.grouped = too_many(names);
        mark(plot.data);
    }

private:
    [[nodiscard]] bool too_many(const std::set<std::string>& names) const {
        const auto count = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
            return heads_.contains(name);
        });
        return static_cast<std::size_t>(count) > most_without_groups;
    }

    std::set<std::string> heads_;
};

}  // namespace

void group_competitors(report_model& model, const std::vector<setting>& settings) {
    for (const auto& who : contenders_in(settings)) {
        model.competitors.push_back(
            {who.head, std::string(family_name(family_of(who.name))), is_central_row(who)});
    }
    const grouping grouping(model.competitors);
    for (auto& section : model.sections) {
        for (auto& block : section.blocks) {
            std::visit([&](auto& each) { grouping.mark(each); }, block);
        }
    }
}

}  // namespace freehold
