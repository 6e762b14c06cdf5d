// SPDX-License-Identifier: BSL-1.0
// Queries of a real engine over Parquet files in a store: cold, warm, and after a restart with a
// warm disk. A process answers each query, so that nothing is left of the one before.
#include "runner/registry.hpp"
#include "suites/cold_query/store.hpp"
#include "suites/cold_query/way.hpp"
#include "suites/common/free_memory.hpp"
#include "suites/common/usage_samples.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab {
namespace {

using namespace cold_query;
using shared_store = std::shared_ptr<const query_store>;

/// The data in the page cache, once more plain and once more with versitygw's, a cache of 5/4 of
/// it, and what Arrow holds.
constexpr std::uint64_t copies_of_the_data = 6;

struct measured_query {
    const char* key;  // of its cases
    const char* name;
    encoding files;
};
constexpr std::array<measured_query, 3> queries = {{{"q6", "q6", encoding::snappy},
                                                    {"q1", "q1", encoding::snappy},
                                                    {"plain.q6", "q6", encoding::plain}}};

struct named_value {
    std::string case_key;
    double value;
    std::optional<std::int64_t> n = {};
};
using named_values = std::vector<named_value>;
struct measurement {
    /// Measures a way with a query; without a store, it only names its figures.
    named_values (*run)(const way&, const char* query, const query_store* store);
    place at = place::near;
};

answered_query ask(const way& how, const char* query, const query_store* store,
                   const question& about) {
    return store == nullptr ? answered_query{} : store->answer(how, query, about);
}

/// In percent of one processor.
void add_course(named_values& values, const std::string& case_key, std::vector<double> parts) {
    parts.resize(parts_of_a_run);
    for (std::size_t part = 0; part != parts.size(); ++part) {
        values.push_back({case_key, 100 * parts[part], static_cast<std::int64_t>(part + 1)});
    }
}

named_values on_two_threads(const way& how, const char* query, const query_store* store) {
    const disk_folder disk(store != nullptr && how.has_disk());
    const question about{.threads = 2, .disk = disk.path()};
    const answered_query done = ask(how, query, store, about);
    const run_cost& cold = done.cold;
    named_values values = {{"cold.wall", cold.wall},
                           {"cold.processor", cold.processor},
                           {"cold.user", cold.processor - cold.system},
                           {"cold.system", cold.system},
                           {"cold.memory", cold.memory},
                           {"warm.wall", done.warm.wall},
                           {"warm.processor", done.warm.processor}};
    if (!how.is_local()) {
        values.push_back({"cold.bytes", cold.bytes});
        values.push_back({"cold.requests", cold.requests});
    }
    if (how.has_course()) {
        add_course(values, "cold.user_over_time", cold.user_in_parts);
        add_course(values, "cold.system_over_time", cold.system_in_parts);
    }
    if (how.line_size != 0) {
        const double all = cold.bytes_in_place + cold.bytes_copied;
        values.push_back({"cold.in_place", all > 0 ? 100 * cold.bytes_in_place / all : 0});
    }
    if (how.has_disk()) {
        disk.forget_pages();
        const run_cost restarted = ask(how, query, store, about).cold;
        values.push_back({"restart.wall", restarted.wall});
        values.push_back({"restart.processor", restarted.processor});
    }
    return values;
}

named_values on_one_thread(const way& how, const char* query, const query_store* store) {
    const disk_folder disk(store != nullptr && how.has_disk());
    const answered_query done = ask(how, query, store, {.threads = 1, .disk = disk.path()});
    return {{"one_thread.cold.wall", done.cold.wall},
            {"one_thread.cold.processor", done.cold.processor},
            {"one_thread.warm.wall", done.warm.wall},
            {"one_thread.warm.processor", done.warm.processor}};
}

named_values over_a_far_store(const way& how, const char* query, const query_store* store) {
    const disk_folder disk(store != nullptr && how.has_disk());
    const question about{.threads = 2, .at = place::far, .disk = disk.path()};
    named_values values = {{"far.cold.wall", ask(how, query, store, about).cold.wall}};
    if (how.has_disk()) {
        disk.forget_pages();
        values.push_back({"far.restart.wall", ask(how, query, store, about).cold.wall});
        values.push_back({"far.restart.kept.wall", ask(how, query, store, about).cold.wall});
    }
    return values;
}

named_values over_versitygw(const way& how, const char* query, const query_store* store) {
    const disk_folder disk(store != nullptr && how.has_disk());
    const question about{.threads = 2, .at = place::versitygw, .disk = disk.path()};
    const run_cost cold = ask(how, query, store, about).cold;
    return {{"versitygw.cold.wall", cold.wall}, {"versitygw.cold.processor", cold.processor}};
}

std::vector<measurement> measurements_of(const way& how, encoding files) {
    std::vector<measurement> all = {{on_two_threads}};
    if (!how.is_local()) all.push_back({over_a_far_store, place::far});
    if (files == encoding::plain) return all;
    all.push_back({on_one_thread});
    if (!how.is_local()) all.push_back({over_versitygw, place::versitygw});
    return all;
}

std::vector<figure> figures_of(const way& how, const measured_query& query,
                               const measurement& what) {
    std::vector<figure> figures;
    for (const named_value& each : what.run(how, query.name, nullptr)) {
        figures.push_back(
            {key_of(how.is.name), std::string(query.key) + '.' + each.case_key, each.n});
    }
    return figures;
}

void add_way(plan& into, const way& how, const measured_query& query, const measurement& what,
             const shared_store& store) {
    into.joint.push_back({figures_of(how, query, what), [how, query, what, store] {
                              try {
                                  std::vector<double> values;
                                  for (const auto& each : what.run(how, query.name, store.get())) {
                                      values.push_back(each.value);
                                  }
                                  return values;
                              } catch (const std::exception& error) {
                                  throw cell_broken_off(error.what());
                              }
                          }});
}

void add_queries(plan& cells, const selection& chosen) {
    std::string why_not = why_too_little_memory(copies_of_the_data * chosen.data_bytes);
    std::map<encoding, shared_store> stores;
    const auto store_of = [&](encoding files) {
        shared_store& store = stores[files];
        if (why_not.empty() && store == nullptr) {
            try {
                store = std::make_shared<const query_store>(chosen.data_bytes, files);
            } catch (const std::exception& error) {
                why_not = error.what();
            }
        }
        return store;
    };
    for (const way& how : ways) {
        if (!chosen.wants(how.is)) continue;
        for (const measured_query& query : queries) {
            const shared_store store = store_of(query.files);
            for (const measurement& what : measurements_of(how, query.files)) {
                const std::string why_not_this =
                    why_not.empty() ? store->why_missing(how, what.at) : why_not;
                if (why_not_this.empty()) {
                    add_way(cells, how, query, what, store);
                } else {
                    skip(cells, figures_of(how, query, what), why_not_this);
                }
            }
        }
    }
}

std::vector<subject> all_subjects() {
    std::vector<subject> all;
    for (const way& each : ways) all.push_back(subject_of(each.is));
    return all;
}

const registration here("cold_query", add_queries, all_subjects());

}  // namespace
}  // namespace lab
