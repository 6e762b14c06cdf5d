// SPDX-License-Identifier: BSL-1.0
// The article's scenario: a cold scan of objects on an S3-compatible server, with line memory of
// each kind, and the same scan warm.
#include "runner/child.hpp"
#include "runner/registry.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/cold_scan/profile.hpp"
#include "suites/cold_scan/scan.hpp"
#include "suites/cold_scan/single_flight.hpp"
#include "suites/cold_scan/way.hpp"
#include "suites/common/free_memory.hpp"
#include "suites/common/usage_samples.hpp"
#include "suites/zeroing/held_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab {
namespace {

using namespace cold_scan;
using shared_store = std::shared_ptr<const object_store>;

/// Room for the data in the system's file cache, for all lines, and for the same number of bytes
/// again.
constexpr std::uint64_t copies_of_the_data = 3;

/// The figures of a way, each with its value.
class figures_of {
public:
    explicit figures_of(const way& how) : subject_(key_of(how.is.name)) {}

    void add(const std::string& case_key, double value, std::optional<std::int64_t> n = {}) {
        what.push_back({subject_, case_key, n});
        values.push_back(value);
    }

    std::vector<figure> what;
    std::vector<double> values;

private:
    std::string subject_;
};

void add_cost(figures_of& figures, const std::string& scan, const scan_cost& cost,
              double gibibytes) {
    figures.add(scan + ".wall", cost.wall / gibibytes);
    figures.add(scan + ".processor", (cost.user + cost.system) / gibibytes);
    figures.add(scan + ".user", cost.user / gibibytes);
    figures.add(scan + ".system", cost.system / gibibytes);
    figures.add(scan + ".faults", cost.faults / gibibytes);
}

void add_course(figures_of& figures, const scan_cost& cost) {
    for (std::size_t part = 0; part < parts_of_a_run; ++part) {
        const auto n = static_cast<std::int64_t>(part + 1);
        figures.add("cold.user_over_time", 100 * cost.user_in_parts[part], n);
        figures.add("cold.system_over_time", 100 * cost.system_in_parts[part], n);
    }
}

struct scan_of_a_way {
    scan_cost cold;
    scan_cost warm;
    double resident_bytes = 0;
    double line_bytes = 0;
};

/// Returns the figures of a scan. For an empty result it returns only their names.
figures_of figures_from(const way& how, const scan_of_a_way& done, double gibibytes) {
    figures_of figures(how);
    add_cost(figures, "cold", done.cold, gibibytes);
    add_course(figures, done.cold);
    figures.add("cold.memory", done.resident_bytes);
    if (how.bound) figures.add("cold.line_memory", done.line_bytes);
    if (how.keeps_all) add_cost(figures, "warm", done.warm, gibibytes);
    return figures;
}

std::size_t bytes_of(const object_store& store) {
    return store.lines() * line_bytes;
}

scan_of_a_way scan_by(const way& how, const object_store& store) {
    lab::lines::hold_memory(bytes_of(store) * 5 / 4);
    const std::size_t before = resident_bytes();
    const std::unique_ptr<cold_scan::lines> all = how.make(store);
    scan_of_a_way done;
    done.cold = scan(store, *all);
    done.resident_bytes = static_cast<double>(done.cold.most_resident_bytes) -
                          static_cast<double>(std::min(before, done.cold.most_resident_bytes));
    done.line_bytes = static_cast<double>(all->most_line_bytes());
    if (how.keeps_all) done.warm = scan(store, *all);
    return done;
}

/// Returns a function that measures in a child process. It turns every exception into
/// cell_broken_off.
std::function<std::vector<double>()> in_a_child(process_kind kind,
                                                std::function<std::vector<double>()> measure) {
    return [kind, measure = std::move(measure)] {
        try {
            return all_measured_in_a_child(kind, measure);
        } catch (const std::exception& error) {
            throw cell_broken_off(error.what());
        }
    };
}

std::vector<figure> figures_of_scan(const way& how) {
    scan_of_a_way nothing;
    nothing.cold.user_in_parts.resize(parts_of_a_run);
    nothing.cold.system_in_parts.resize(parts_of_a_run);
    return figures_from(how, nothing, 1).what;
}

std::vector<figure> figures_of_profile(const way& how) {
    figures_of figures(how);
    for (const char* cause : causes) figures.add(std::string("profile.") + cause, 0);
    return figures.what;
}

figure bound_of(const way& how) {
    return {key_of(how.is.name), "line_memory.bound"};
}

const figure requests_of_one_line = {key_of(line_cache_subject.name), "requests_of_64_readers"};

void add_scan(plan& into, process_kind kind, const way& how, const shared_store& store) {
    into.joint.push_back({figures_of_scan(how), in_a_child(kind, [how, store] {
                              const scan_of_a_way done = scan_by(how, *store);
                              return figures_from(how, done, store->gibibytes()).values;
                          })});
}

std::vector<double> profiled_by(const way& how, const object_store& store) {
    std::unique_ptr<cold_scan::lines> all;
    const auto prepare = [&] {
        lab::lines::hold_memory(bytes_of(store) * 5 / 4);
        all = how.make(store);
    };
    const seconds_by_cause seconds = profile(prepare, [&] {
        const scan_cost cost = scan(store, *all);
        return cost.user + cost.system;
    });
    std::vector<double> values(seconds.begin(), seconds.end());
    for (double& each : values) each /= store.gibibytes();
    return values;
}

void add_profile(plan& into, process_kind kind, const way& how, const shared_store& store) {
    into.joint.push_back({figures_of_profile(how),
                          in_a_child(kind, [how, store] { return profiled_by(how, *store); })});
}

void add_single_flight(plan& into, process_kind kind, const shared_store& store) {
    into.joint.push_back({{requests_of_one_line}, in_a_child(kind, [store] {
                              return std::vector<double>{
                                  static_cast<double>(requests_of_readers(*store, 64))};
                          })});
}

/// Skips all measurements of each way.
void skip(plan& into, const std::vector<way>& ways, const std::string& why) {
    for (const way& how : ways) {
        skip(into, figures_of_scan(how), why);
        skip(into, figures_of_profile(how), why);
        if (how.bound) skip(into, {bound_of(how)}, why);
        if (how.is.name == line_cache_subject.name) skip(into, {requests_of_one_line}, why);
    }
}

std::vector<way> all_ways() {
    std::vector<way> ways = ways_without_cache();
    for (const way& each : ways_with_cache()) ways.push_back(each);
    return ways;
}

void add_scans(plan& cells, const selection& chosen) {
    std::vector<way> ways = all_ways();
    std::erase_if(ways, [&](const way& each) { return !chosen.wants(each.is); });
    if (const std::string why = why_too_little_memory(copies_of_the_data * chosen.data_bytes);
        !why.empty()) {
        skip(cells, ways, why);
        return;
    }
    shared_store store;
    try {
        store = std::make_shared<const object_store>(chosen.data_bytes);
    } catch (const std::exception& error) {
        skip(cells, ways, error.what());
        return;
    }
    const std::string no_profile = why_no_profile();
    for (const way& how : ways) {
        if (how.is.name == identities::lower_bound.name && !store->file_of(0)) {
            skip(cells, {how}, "the server's files are not on this machine");
            continue;
        }
        add_scan(cells, chosen.process, how, store);
        if (how.bound) {
            cells.exact.push_back({bound_of(how), static_cast<double>(how.bound(*store))});
        }
        if (no_profile.empty()) {
            add_profile(cells, chosen.process, how, store);
        } else {
            skip(cells, figures_of_profile(how), no_profile);
        }
        if (how.is.name == line_cache_subject.name) add_single_flight(cells, chosen.process, store);
    }
}

std::vector<subject> all_subjects() {
    std::vector<subject> all;
    for (const way& each : all_ways()) all.push_back(subject_of(each.is));
    return all;
}

const registration here("cold_scan", add_scans, all_subjects());

}  // namespace
}  // namespace lab
