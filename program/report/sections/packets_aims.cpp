// SPDX-License-Identifier: BSL-1.0
#include "report/sections/packets.hpp"
#include "report/sections/sharing.hpp"

#include <cmath>

#include <fmt/format.h>

namespace freehold {

namespace {

struct packet_aim {
    std::string what;
    std::string competitor;
    std::string test;
    std::string reference;                // as the table calls it; empty where the time is limited
    std::vector<std::string> references;  // the lowest of them is what the ratio is to
    double at_most;
};

const std::string pool = "freehold::pool";
const std::string arcs = "freehold::allocate_arc(pool), bursts";
const std::string over = "std::allocate_shared over ";
const std::vector<std::string> handlers{"rte_mempool, ring", "rte_mempool, stack",
                                        "rte_mempool, lf_stack"};

std::vector<std::string> shared_handlers() {
    std::vector<std::string> all;
    for (const auto& handler : handlers) all.push_back(over + handler);
    return all;
}

/// Nanoseconds for each packet that keep up with a line, rounded down to hundredths.
double time_at(double gigabits) {
    return std::floor(1e5 / line_rate(gigabits)) / 100;
}

std::vector<packet_aim> wanted_aims() {
    std::vector<packet_aim> all;
    for (const std::string touched : {"untouched", "64 bytes"}) {
        const auto test = "across, " + touched;
        const auto what = "plain, " + touched;
        all.push_back({what, pool, test, "rte_mempool", handlers, 0.60});
        all.push_back({what, pool, test, "floor", {"floor"}, 1.15});
        all.push_back({what, pool, test, "not counted", {pool + ", not counted"}, 1.05});
    }
    for (const std::string touched : {"untouched", "64 bytes"}) {
        const auto test = "shared across, " + touched;
        const auto ours = "arc, " + touched;
        all.push_back({ours, arcs, test, "rte_mempool", shared_handlers(), 0.45});
        all.push_back({ours, arcs, test, "floor", {"floor, arc"}, 1.35});
        all.push_back({ours, arcs, test, "not checked", {arcs + ", not checked"}, 1.05});
        const auto theirs = "allocate_shared, " + touched;
        all.push_back({theirs, over + pool, test, "rte_mempool", shared_handlers(), 1.0});
        all.push_back({theirs, over + pool, test, "snmalloc", {over + "snmalloc"}, 0.30});
        all.push_back({theirs, over + pool, test, "floor", {"floor"}, 1.15});
    }
    const std::string whole = "across, whole packet";
    const std::string written = "plain, whole packet";
    all.push_back({written, pool, whole, handlers[0], {handlers[0]}, 0.30});
    all.push_back({written, pool, whole, handlers[1], {handlers[1]}, 1.0});
    all.push_back({written, pool, whole, "floor", {"floor"}, 1.1});
    const std::string one = "same thread, one";
    all.push_back({one, pool, one, "rte_mempool", handlers, 0.40});
    all.push_back({one, pool, one, "floor", {"floor"}, 1.1});
    all.push_back({one, pool, one, "not counted", {pool + ", not counted"}, 1.05});
    all.push_back({"six ways, allocate_shared",
                   "std::allocate_shared(pool)",
                   "six ways",
                   sharing_baseline,
                   {sharing_baseline},
                   0.10});
    const std::string headers = "across, 64 bytes";
    all.push_back({"100G, plain", pool, headers, "", {}, time_at(100)});
    all.push_back({"100G, arc", arcs, "shared " + headers, "", {}, time_at(100)});
    all.push_back({"10G, allocate_shared", over + pool, "shared " + headers, "", {}, time_at(10)});
    return all;
}

/// "plain, 64 bytes: rte_mempool"
std::string head_of(const packet_aim& wanted) {
    return wanted.reference.empty() ? wanted.what
                                    : fmt::format("{}: {}", wanted.what, wanted.reference);
}

/// The figure of the reference that has the lowest.
std::optional<estimate> lowest_of(const std::vector<std::string>& names, const setting& where,
                                  const std::string& test, const packets_figures& figures) {
    std::optional<estimate> lowest;
    for (const auto& name : names) {
        const auto figure = figures.find(where, name, test);
        if (figure && (!lowest || figure->value < lowest->value)) lowest = figure;
    }
    return lowest;
}

aim_figure figure_of(const packet_aim& wanted, const setting& where,
                     const packets_figures& figures) {
    const auto own = figures.find(where, wanted.competitor, wanted.test);
    if (!own) return {};
    if (wanted.references.empty()) return {own, {}};
    const auto reference = lowest_of(wanted.references, where, wanted.test, figures);
    if (!reference) return {std::nullopt, wanted.reference};
    return {ratio(*own, *reference), {}};
}

}  // namespace

aims_result packets_aims_of(const packets_figures& figures) {
    static const auto wanted = wanted_aims();
    std::vector<aim_row> rows;
    for (const auto& each : wanted) {
        rows.push_back(
            {head_of(each), each.reference, each.at_most, each.references.empty() ? "ns" : ""});
    }
    return aims_of(
        {.id = "packets-aims",
         .caption = "What freehold's pool is to reach, and what it does",
         .note =
             "Aims are ratios to what the same run measured, or times that keep up with a line. "
             "Plain packets, and shared ones by arcs in bursts or by std::allocate_shared, go "
             "from one thread to another. Of rte_mempool's handlers the fastest counts, over "
             "which std::allocate_shared makes what is shared. Not counted: without statistics; "
             "not checked: without what finds a handle that is released twice. Unsure: the aim "
             "lies within the interval.",
         .row_header = "what"},
        rows, figures.settings(), [&](std::size_t index, const setting& where) {
            return figure_of(wanted[index], where, figures);
        });
}

}  // namespace freehold
