// SPDX-License-Identifier: BSL-1.0
// The parts of the section on packets: six ways to one, what they cost within a thread and across
// threads, which line rates that keeps up with, what is zeroed unasked, and the aims.
#pragma once

#include "report/sections/aims.hpp"
#include "report/sections/medians.hpp"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freehold {

/// The suite's medians. Refers to the settings; keep them alive.
class packets_figures {
public:
    explicit packets_figures(const std::vector<setting>& settings);

    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }
    [[nodiscard]] const std::vector<contender>& contenders() const { return contenders_; }
    [[nodiscard]] const suite_medians& medians() const { return medians_; }

    [[nodiscard]] std::optional<estimate> find(const setting& where, const std::string& competitor,
                                               const std::string& test) const;

    /// How many times the reference's figure it is.
    [[nodiscard]] std::optional<estimate> times(const setting& where, const std::string& competitor,
                                                const std::string& test,
                                                const std::string& reference) const;

    /// As a cell, with half the width of its interval.
    [[nodiscard]] std::optional<table_cell> cell(const setting& where, const contender& who,
                                                 const std::string& test) const;

private:
    const std::vector<setting>& settings_;
    std::vector<contender> contenders_;
    suite_medians medians_;
};

/// The tests of the six ways, by what the packet's constructor does, and as columns call them.
struct packet_kind {
    std::string test;
    std::string label;
    std::string clause;  // of packets
};
inline const std::array<packet_kind, 2> packet_kinds{
    {{"six ways", "left as it is", "left as they are"},
     {"six ways, zeroed", "zeroed", "zeroed by their constructor"}}};

using packets_block = report_block;

/// Each gives blocks only where there is something to show.
[[nodiscard]] std::vector<packets_block> six_ways_blocks(const packets_figures& figures);
[[nodiscard]] std::vector<packets_block> same_thread_blocks(const packets_figures& figures);
[[nodiscard]] std::vector<packets_block> rate_blocks(const packets_figures& figures);
[[nodiscard]] std::vector<packets_block> zeroing_blocks(const packets_figures& figures);

/// Whether the order that the article predicts holds, then and now, and what zeroing costs.
[[nodiscard]] std::vector<std::string> six_ways_notes(const packets_figures& figures);

[[nodiscard]] aims_result packets_aims_of(const packets_figures& figures);

/// The table with its floors as what the others are compared with.
[[nodiscard]] report_table beside_floors(report_table table);

/// Packets of 64 bytes that a line carries in a second, in millions.
[[nodiscard]] double line_rate(double gigabits);

}  // namespace freehold
