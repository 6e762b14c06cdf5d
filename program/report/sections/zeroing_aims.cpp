// SPDX-License-Identifier: BSL-1.0
#include "report/sections/zeroing.hpp"

#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct line_aim {
    std::string what;
    std::string competitor;
    std::string test;
    std::string reference;  // empty where the figure itself is limited
    double at_most;
};

std::vector<line_aim> wanted_aims() {
    std::vector<line_aim> all;
    for (const auto& filling : line_fillings) {
        const auto test = filling + ", kept";
        all.push_back({test, recycled_line, test, ready_line, 1.05});
    }
    // 12, 4 and 3.5 times less, and in a ring 3, 1.5 and 1.4.
    const std::array<double, 3> kept{0.083, 0.25, 0.286};
    const std::array<double, 3> in_a_ring{0.333, 0.667, 0.714};
    for (std::size_t i = 0; i != line_fillings.size(); ++i) {
        const auto test = line_fillings[i] + ", kept";
        all.push_back({test, recycled_line, test, zeroing_line, kept[i]});
    }
    for (std::size_t i = 0; i != line_fillings.size(); ++i) {
        const auto test = line_fillings[i] + ", ring";
        all.push_back({test, recycled_line, test, zeroing_line, in_a_ring[i]});
    }
    all.push_back(
        {"faults, cold", "freehold::page_resource, huge", "memcpy, kept, faults", "", 520});
    all.push_back({"faults, warm", recycled_line, "memcpy, kept, faults", "", 8});
    all.push_back(
        {"faults, warm, after a fork", recycled_line, lines_after_fork + ", faults", "", 8});
    return all;
}

/// "memcpy, kept: floor"
std::string head_of(const line_aim& wanted) {
    return wanted.reference.empty() ? wanted.what
                                    : fmt::format("{}: {}", wanted.what, wanted.reference);
}

aim_figure figure_of(const line_aim& wanted, const setting& where, const zeroing_figures& figures) {
    const auto own = figures.find(where, wanted.competitor, wanted.test);
    if (!own) return {};
    if (wanted.reference.empty()) return {own, {}};
    const auto reference = figures.find(where, wanted.reference, wanted.test);
    if (!reference) return {std::nullopt, wanted.reference};
    return {ratio(*own, *reference), {}};
}

}  // namespace

aims_result zeroing_aims_of(const zeroing_figures& figures) {
    static const auto wanted = wanted_aims();
    std::vector<aim_row> rows;
    for (const auto& each : wanted) {
        rows.push_back(
            {head_of(each), each.reference, each.at_most, each.reference.empty() ? "/GiB" : ""});
    }
    return aims_of(
        {.id = "zeroing-aims",
         .caption = "What recycled lines are to reach, and what they do",
         .note = "Aims are ratios to what the same run measured, in processor time, or page faults "
                 "for each GiB. Recycled lines come from a freehold::pool on huge pages; cold ones "
                 "are mapped on huge pages by freehold::page_resource. Unsure: the aim lies within "
                 "the interval.",
         .row_header = "what"},
        rows, figures.settings(), [&](std::size_t index, const setting& where) {
            return figure_of(wanted[index], where, figures);
        });
}

}  // namespace freehold
