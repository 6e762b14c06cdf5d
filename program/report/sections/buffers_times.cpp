// SPDX-License-Identifier: BSL-1.0
// What a get and a put take, on one thread and across two, beside allocators; and their prices.
#include "report/sections/buffers.hpp"
#include "report/sections/competitors.hpp"
#include "report/sections/tables.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct timed_test {
    std::string test;
    std::string id;
    std::string caption;
    std::string note;
};
const std::array<timed_test, 2> timed_tests{
    {{"get and put", "buffers-times", "A buffer had and given back by one thread",
      "Its first byte is written. The floor writes to the same bytes, and has nothing given back."},
     {"returned across threads", "buffers-across",
      "A buffer had by one thread and given back by another",
      "Sent through a ring in bursts of 32. The floor is the ring alone."}}};
const std::string price_test = "allocator price";

/// "64 B", "16 KiB", "1 MiB"
std::string bytes_text(std::int64_t bytes) {
    constexpr std::int64_t kibi = 1024;
    if (bytes >= kibi * kibi && bytes % (kibi * kibi) == 0) {
        return fmt::format("{} MiB", bytes / (kibi * kibi));
    }
    return bytes >= kibi && bytes % kibi == 0 ? fmt::format("{} KiB", bytes / kibi)
                                              : fmt::format("{} B", bytes);
}

/// All sizes of a test, whoever has them.
std::set<std::int64_t> sizes_of(const buffers_figures& figures, const std::string& test) {
    std::set<std::int64_t> sizes;
    for (const auto& where : figures.settings()) {
        for (const auto& who : figures.contenders()) {
            for (const auto& [size, time] : figures.sizes(where, who.name, test)) {
                sizes.insert(size);
            }
        }
    }
    return sizes;
}

std::optional<estimate> at(const std::map<std::int64_t, estimate>& all, std::int64_t size) {
    const auto found = all.find(size);
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

report_plot times_plot(const buffers_figures& figures, const timed_test& timed) {
    report_plot plot;
    plot.id = timed.id;
    plot.type = plot_type::dots;
    plot.title = timed.caption;
    plot.note = timed.note;
    plot.x = {"time", "ns", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    plot.reference = "floor";
    for (const auto& where : figures.settings()) {
        for (const auto size : sizes_of(figures, timed.test)) {
            plot_series series{bytes_text(size), {}, {}, where.label};
            for (const auto& who : figures.contenders()) {
                const auto time = at(figures.sizes(where, who.name, timed.test), size);
                if (!time || !(time->value > 0)) continue;
                series.points.push_back({.x = time->value,
                                         .low = time->bounds.low,
                                         .high = time->bounds.high,
                                         .category = who.head});
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    plot.data = data_of(plot);
    return plot;
}

report_table finished_beside_floor(const contender_table& table) {
    auto finished = table.finished();
    for (auto& row : finished.rows) row.reference = family_of(row.head) == family::floor;
    return finished;
}

report_table times_table(const buffers_figures& figures, const timed_test& timed) {
    contender_table table({.id = timed.id + "-table",
                           .caption = timed.caption + ": time for each",
                           .note = "Medians, with half the width of their 95 % interval.",
                           .row_header = "competitor"},
                          figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto size : sizes_of(figures, timed.test)) {
            table.add_column({bytes_text(size), where.label, "ns"},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto time =
                                     at(figures.sizes(where, who.name, timed.test), size);
                                 return time ? std::optional(error_cell(*time)) : std::nullopt;
                             });
            table.mark_lowest(
                [](const contender& who) { return family_of(who.name) != family::floor; });
        }
    }
    return finished_beside_floor(table);
}

report_table ratios_table(const buffers_figures& figures, const timed_test& timed) {
    contender_table table(
        {.id = timed.id + "-ratios",
         .caption = fmt::format("{}: how many times as long as {}", timed.caption, own_cache),
         .note = "Of the medians, with half the width of their 95 % interval.",
         .row_header = "competitor"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        const auto own = figures.sizes(where, own_cache, timed.test);
        for (const auto& [size, reference] : own) {
            table.add_column({bytes_text(size), where.label, "\u00d7"},
                             [&, size = size, reference = reference](
                                 const contender& who) -> std::optional<table_cell> {
                                 if (who.name == own_cache) return figure_cell(1);
                                 const auto time =
                                     at(figures.sizes(where, who.name, timed.test), size);
                                 const auto times = time ? ratio(*time, reference) : std::nullopt;
                                 return times ? std::optional(error_cell(*times)) : std::nullopt;
                             });
        }
    }
    return finished_beside_floor(table);
}

report_table prices_table(const buffers_figures& figures) {
    report_table table{.id = "buffers-prices",
                       .caption = "What the C library takes for a request, until it is freed",
                       .note =
                           "Page faults included: blocks are written to once in each page. Time "
                           "saved is counted by these prices.",
                       .row_header = "size"};
    for (const auto size : sizes_of(figures, price_test)) {
        table.rows.push_back({bytes_text(size), false, {}});
    }
    for (const auto& where : figures.settings()) {
        const auto prices = figures.sizes(where, "glibc", price_test);
        if (prices.empty()) continue;
        table.columns.push_back({"price", where.label, "ns"});
        std::size_t row = 0;
        for (const auto size : sizes_of(figures, price_test)) {
            const auto price = at(prices, size);
            table.rows[row++].cells.push_back(price ? std::optional(error_cell(*price))
                                                    : std::nullopt);
        }
    }
    return table;
}

}  // namespace

buffers_blocks buffer_time_blocks(const buffers_figures& figures) {
    buffers_blocks blocks;
    for (const auto& timed : timed_tests) {
        auto plot = times_plot(figures, timed);
        if (plot.series.empty()) continue;
        blocks.emplace_back(std::move(plot));
        blocks.emplace_back(times_table(figures, timed));
        auto ratios = ratios_table(figures, timed);
        if (!ratios.rows.empty()) blocks.emplace_back(std::move(ratios));
    }
    auto prices = prices_table(figures);
    if (!prices.columns.empty()) blocks.emplace_back(std::move(prices));
    return blocks;
}

}  // namespace freehold
