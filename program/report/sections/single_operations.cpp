// SPDX-License-Identifier: BSL-1.0
#include "report/sections/single_operations.hpp"

#include "report/sections/medians.hpp"
#include "report/sections/tables.hpp"

namespace freehold {

report_table single_operations_table(const std::vector<setting>& settings,
                                     const std::vector<contender>& contenders) {
    const suite_medians times(settings, "operations");
    contender_table table({.id = "operations-single",
                           .caption = "One operation at a time: a copy and its release, a move, a "
                                      "lock of a weak pointer and its release",
                           .note = "Medians, with half the width of their 95 % interval. A plain "
                                   "pair adds to a word in memory and subtracts again, a locked "
                                   "pair does so atomically.",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& where : settings) {
        for (const auto* test : {"copy", "move", "lock"}) {
            table.add_column({test, where.label, "ns"},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto time = times.find(where, who, test);
                                 if (!time) return std::nullopt;
                                 return error_cell(*time);
                             });
            table.mark_lowest([](const contender& who) { return who.shares(); });
        }
    }
    return table.finished();
}

}  // namespace freehold
