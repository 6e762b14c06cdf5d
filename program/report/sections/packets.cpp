// SPDX-License-Identifier: BSL-1.0
#include "report/sections/packets.hpp"

#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

const std::string suite_name = "packets";

/// Millions a second by the competitor's medians of the test: "180 to 190".
std::string rates_text(const packets_figures& figures, const std::string& competitor,
                       const std::string& test) {
    std::vector<double> rates;
    for (const auto& where : figures.settings()) {
        const auto time = figures.find(where, competitor, test);
        if (time && time->value > 0) rates.push_back(1000 / time->value);
    }
    return rates.empty() ? "" : range_text(rates);
}

std::string finding_of(const packets_figures& figures, const aims_result& aims) {
    std::vector<std::string> rates;
    const auto plain = rates_text(figures, "freehold::pool", "across, 64 bytes");
    if (!plain.empty()) rates.push_back(plain + " plain");
    const auto shared =
        rates_text(figures, "freehold::allocate_arc(pool), bursts", "shared across, 64 bytes");
    if (!shared.empty()) rates.push_back(shared + " shared");
    std::vector<std::string> parts;
    if (!rates.empty()) {
        parts.push_back(
            fmt::format("Millions of packets a second from freehold's pool, {}", joined(rates)));
    }
    if (!aims.reached.empty()) {
        parts.push_back(
            fmt::format("{}ims reached: {}", parts.empty() ? "A" : "a", joined(aims.reached)));
    }
    if (parts.empty()) return "Nothing that freehold's pool serves was measured.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

packets_figures::packets_figures(const std::vector<setting>& settings)
    : settings_(settings),
      contenders_(contenders_of(settings, suite_name)),
      medians_(settings, suite_name) {}

std::optional<estimate> packets_figures::find(const setting& where, const std::string& competitor,
                                              const std::string& test) const {
    return medians_.find(where, {competitor, "threaded", competitor}, test);
}

std::optional<estimate> packets_figures::times(const setting& where, const std::string& competitor,
                                               const std::string& test,
                                               const std::string& reference) const {
    return medians_.times(where, {competitor, "threaded", competitor}, test, reference);
}

std::optional<table_cell> packets_figures::cell(const setting& where, const contender& who,
                                                const std::string& test) const {
    const auto time = find(where, who.name, test);
    if (!time) return std::nullopt;
    return error_cell(*time);
}

std::optional<report_section> packets_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, suite_name);
    if (settings.empty()) return std::nullopt;
    const packets_figures figures(settings);
    auto aims = packets_aims_of(figures);
    report_section section{
        suite_name, "Packets: shared buffers at line rate", finding_of(figures, aims), {}, {}};
    const auto add = [&](std::vector<packets_block> blocks) {
        std::move(blocks.begin(), blocks.end(), std::back_inserter(section.blocks));
    };
    add(six_ways_blocks(figures));
    add(zeroing_blocks(figures));
    add(same_thread_blocks(figures));
    add(rate_blocks(figures));
    if (!aims.table.rows.empty()) section.blocks.emplace_back(std::move(aims.table));
    section.notes = six_ways_notes(figures);
    section.notes.push_back(
        "From one thread to another packets pass through a ring in bursts of 32, and the receiver "
        "frees them; the floor passes packets round that were made beforehand. Statistics and the "
        "check for a second release are on, as always.");
    for (auto& note : measuring_notes(all, suite_name)) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
