// SPDX-License-Identifier: BSL-1.0
#include "report/sections/figures.hpp"
#include "report/sections/sharing.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace freehold {

namespace {

struct aim {
    const char* what;
    const char* competitor;
    const char* suite;
    const char* test;
    const char* reference;  // what the ratio is to; null where the figure itself is limited
    double at_most;
};

constexpr const char* standard = "std::make_shared";

constexpr std::array aims{
    aim{"copy and release", "freehold::make_shared", "operations", "copy", "locked pair", 1.03},
    aim{"copy and release", "freehold::arc", "operations", "copy", "locked pair", 1.03},
    aim{"copy and release", "freehold::make_shared, local", "operations", "copy", "plain pair",
        1.15},
    aim{"copy and release", "freehold::arc, local", "operations", "copy", "plain pair", 1.15},
    aim{"copy and release", "freehold::make_shared, biased", "operations", "copy", standard, 0.12},
    aim{"copy and release", "freehold::arc, biased", "operations", "copy", standard, 0.12},
    aim{"copy on another thread", "freehold::make_shared, biased", "threads", "non-owner", standard,
        0.95},
    aim{"copy on another thread", "freehold::arc, biased", "threads", "non-owner", standard, 0.95},
    aim{"copy after sharing", "freehold::make_shared, biased", "threads", "after sharing", standard,
        0.95},
    aim{"copy after sharing", "freehold::arc, biased", "threads", "after sharing", standard, 0.95},
    aim{"move", "freehold::arc", "operations", "move", standard, 0.15},
    aim{"make and release, one", "freehold::arc", "construction", "one", standard, 0.12},
    aim{"make and release, one", "freehold::make_shared", "construction", "one", standard, 0.30},
    aim{"make and release, 1024 alive", "freehold::arc", "construction", "1024 alive", standard,
        0.12},
    aim{"make and release, 1024 alive", "freehold::make_shared", "construction", "1024 alive",
        standard, 0.18},
    aim{"fill a vector", "freehold::arc", "construction", "fill", standard, 0.35},
    aim{"fill it again", "freehold::arc", "construction", "refill", standard, 0.9},
    aim{"weak lock and drop", "freehold::make_shared, biased", "operations", "lock", standard, 0.2},
    aim{"weak lock and drop", "freehold::make_shared", "operations", "lock", standard, 0.85},
    aim{"bytes beyond the object", "freehold::arc", "footprint", "beyond the object", nullptr, 16},
    aim{"bytes beyond the object", "freehold::make_shared", "footprint", "beyond the object",
        standard, 1}};

std::optional<estimate> measured(const aim& wanted, const setting& where,
                                 const sharing_figures& figures) {
    const auto* suite = figures.suite(wanted.suite);
    const contender who{wanted.competitor, "threaded", wanted.competitor};
    if (wanted.reference == nullptr) return suite->find(where, who, wanted.test);
    return suite->times(where, who, wanted.test, wanted.reference);
}

/// "copy and release: arc, biased"
std::string head_of(const aim& wanted) {
    constexpr std::string_view ours = "freehold::";
    return fmt::format("{}: {}", wanted.what,
                       std::string_view(wanted.competitor).substr(ours.size()));
}

}  // namespace

sharing_figures::sharing_figures(const std::vector<setting>& settings) {
    for (const auto* name : names_) suites_.emplace_back(settings, name);
}

const suite_medians* sharing_figures::suite(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? nullptr
                                 : &suites_[static_cast<std::size_t>(found - names_.begin())];
}

aims_result sharing_aims_of(const std::vector<setting>& settings, const sharing_figures& figures) {
    std::vector<aim_row> wanted;
    for (const auto& each : aims) {
        const bool is_ratio = each.reference != nullptr;
        wanted.push_back(
            {head_of(each), is_ratio ? each.reference : "", each.at_most, is_ratio ? "" : "bytes"});
    }
    return aims_of(
        {.id = "sharing-aims",
         .caption = "What freehold's handles are to reach, and what they do",
         .note = "Aims are ratios to what the same run measured. Unsure: the aim lies within the "
                 "interval.",
         .row_header = "what"},
        wanted, settings, [&](std::size_t index, const setting& where) {
            return aim_figure{measured(aims[index], where, figures)};
        });
}

}  // namespace freehold
