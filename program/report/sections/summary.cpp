// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"
#include "report/sections/held_line.hpp"
#include "report/sections/medians.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/sharing.hpp"

#include <functional>

#include <fmt/format.h>

namespace freehold {

namespace {

using maybe = std::optional<headline>;

const contender standard{"std::shared_ptr", "threaded", "std::shared_ptr"};
const contender standard_alone{"std::shared_ptr", "single", "std::shared_ptr"};

std::string compared(const estimate& a, const estimate& b, const std::string& with) {
    if (overlap(a, b)) return "not distinguishable from " + with;
    const auto times = ratio(a, b);
    return times ? times_text(*times) + " " + with : "";
}

maybe operations_headline(
    const std::vector<setting>& all,
    const std::function<maybe(const setting&, const std::vector<held_line>&)>& make) {
    for (const auto& where : settings_with(all, "operations")) {
        const auto lines = held_lines_of(where, contenders_of({where}, "operations"));
        if (auto made = make(where, lines)) return made;
    }
    return std::nullopt;
}

const held_line* fitted_line(const std::vector<held_line>& lines, const contender& who) {
    const auto* held = find_line(lines, who);
    return held != nullptr && held->line ? held : nullptr;
}

maybe standard_copy(const setting& where, const std::vector<held_line>& lines) {
    const auto* held = fitted_line(lines, standard);
    if (held == nullptr) return std::nullopt;
    headline made{"A copy and release of std::shared_ptr, counting atomically",
                  figure_text(held->copy.value) + " ns", where.label};
    const auto* plain = fitted_line(lines, {"simple counted", "threaded", ""});
    if (plain == nullptr) return made;
    if (const auto text = compared(held->copy, plain->copy, "a plainly counted copy");
        !text.empty()) {
        made.note = text + "; " + where.label;
    }
    return made;
}

maybe cheapest_copy(const setting& where, const std::vector<held_line>& lines) {
    std::vector<ranked> entries;
    for (const auto& held : lines) {
        if (held.line && held.who.shares()) entries.push_back({held.who.head, held.copy});
    }
    if (entries.size() < 2) return std::nullopt;
    const auto found = rank(entries);
    auto note = fmt::format("{}; {}", found->lowest.name, where.label);
    if (!found->alike.empty()) {
        note = fmt::format("{}, not distinguishable from {}; {}", found->lowest.name,
                           found->alike.front(), where.label);
    }
    return headline{"The cheapest copy and release of a shared owner",
                    figure_text(found->lowest.figure.value) + " ns", note};
}

maybe second_thread(const setting& where, const std::vector<held_line>& lines) {
    const auto* threaded = fitted_line(lines, standard);
    const auto* alone = fitted_line(lines, standard_alone);
    if (threaded == nullptr || alone == nullptr) return std::nullopt;
    const auto times = ratio(threaded->copy, alone->copy);
    if (!times) return std::nullopt;
    return headline{"A copy of std::shared_ptr once a second thread was started, against before",
                    figure_text(times->value) + " times",
                    fmt::format("{} ns, before {} ns; {}", figure_text(threaded->copy.value),
                                figure_text(alone->copy.value), where.label)};
}

/// The owner of an object that is cheapest to make among those that replace the standard's.
maybe making(const std::vector<setting>& all) {
    for (const auto& where : settings_with(all, "construction")) {
        const suite_medians times({where}, "construction");
        for (const auto* name : {"freehold::arc", "freehold::make_shared"}) {
            const contender who{name, "threaded", name};
            const auto own = times.find(where, who, "one");
            const auto share = times.times(where, who, "one", sharing_baseline);
            if (!own || !share) continue;
            return headline{fmt::format("A {} made and released", name),
                            figure_text(own->value) + " ns",
                            fmt::format("{} of {}; {}", figure_text(share->value), sharing_baseline,
                                        where.label)};
        }
    }
    return std::nullopt;
}

maybe standard_sort(const std::vector<setting>& all) {
    for (const auto& where : settings_with(all, "containers")) {
        const auto times =
            suite_medians({where}, "containers").times(where, standard, "vector sort", "raw");
        if (!times) continue;
        return headline{"Sorting a vector of std::shared_ptr", figure_text(times->value) + " times",
                        "as long as raw pointers; " + where.label};
    }
    return std::nullopt;
}

maybe longest_pause(const std::vector<setting>& all) {
    for (const auto& where : settings_with(all, "cycles")) {
        const contender cyclic{"cyclic", "threaded", "cyclic"};
        const auto* ring = find_measurement(where, "cycles", cyclic, "ring");
        if (ring == nullptr) continue;
        headline made{"A ring of two cyclic_ptr made and collected",
                      figure_text(estimate_of(*ring).value) + " ns", where.label};
        if (const auto* pause = find_measurement(where, "cycles", cyclic, "ring pause")) {
            made.note =
                "longest pause " + figure_text(estimate_of(*pause).value) + " ms; " + where.label;
        }
        return made;
    }
    return std::nullopt;
}

maybe standard_footprint(const std::vector<setting>& all) {
    for (const auto& where : settings_with(all, "footprint")) {
        for (const auto& who : contenders_of({where}, "footprint")) {
            if (who.name != "std::shared_ptr") continue;
            const auto* handle = find_measurement(where, "footprint", who, "handle");
            const auto* beyond = find_measurement(where, "footprint", who, "beyond the object");
            if (handle == nullptr || beyond == nullptr) continue;
            auto note = fmt::format("each handle {} more; {}",
                                    exact_text(estimate_of(*handle).value), where.label);
            const auto* raw = find_measurement(where, "footprint", {"raw", who.process, "raw"},
                                               "beyond the object");
            if (raw != nullptr) {
                note = fmt::format("raw {}; ", exact_text(estimate_of(*raw).value)) + note;
            }
            return headline{"Memory of a std::shared_ptr beyond its object",
                            exact_text(estimate_of(*beyond).value) + " bytes", note};
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<headline> summary_of(const std::vector<setting>& all) {
    constexpr std::size_t at_most = 5;
    std::vector<headline> summary;
    for (const auto& made :
         {operations_headline(all, standard_copy), operations_headline(all, cheapest_copy),
          making(all), operations_headline(all, second_thread), standard_sort(all),
          standard_footprint(all), longest_pause(all)}) {
        if (made && summary.size() != at_most) summary.push_back(*made);
    }
    return summary;
}

}  // namespace freehold
