// SPDX-License-Identifier: BSL-1.0
// The hits, the waste and the idle bytes of policies on each workload, at each of their settings.

#include <freehold/buffer/allocation_costs.hpp>
#include <freehold/buffer/size_class.hpp>

#include "runner/registry.hpp"
#include "suites/buffers/optimum.hpp"
#include "suites/buffers/policies.hpp"
#include "suites/buffers/prices.hpp"
#include "suites/buffers/replay.hpp"
#include "suites/buffers/subjects.hpp"
#include "suites/buffers/workload.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lab::buffers {
namespace {

using freehold::allocation_costs;
using freehold::size_class;

/// The cases of one setting, in the order of its figures.
constexpr std::array<const char*, 5> cases_of_point = {"hit_rate", "used", "idle", "unused",
                                                       "allocator_calls"};
using point_values = std::array<double, cases_of_point.size()>;

point_values values_of(const replayed& done) {
    const auto requests = static_cast<double>(done.requests);
    return {100 * static_cast<double>(done.hits()) / requests, 100 * done.asked / done.handed_out,
            done.idle / static_cast<double>(done.steps), done.unused(),
            1000 * static_cast<double>(done.allocator_calls) / requests};
}
point_values values_of(const kept_pairs& kept) {
    return {100 * kept.hit_rate, 100 * kept.used, kept.idle, kept.unused,
            1000 * kept.calls_for_each_request};
}

/// The setting to which figures belong. The first setting has number 1.
struct numbered_setting {
    const std::string& subject;
    const std::string& workload;
    std::int64_t n;
    const std::string& note;

    [[nodiscard]] figure operator()(const char* one) const {
        return {subject, workload + "." + one, n, note};
    }
};

void add_exact(plan& into, const numbered_setting& setting, const point_values& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        into.exact.push_back({setting(cases_of_point[i]), values[i]});
    }
}

double percent(double part, double whole) {
    return whole <= 0 ? 0 : std::max(0.0, 100 * part / whole);
}

/// Returns what all buffers of a workload cost together without a cache.
double cost_of(const workload& work, const allocation_costs& costs) {
    double sum = 0;
    for (const step& each : work.steps) {
        if (each.size != step::put) sum += costs.of(each.size);
    }
    return sum;
}

double cost_of(const counting_upstream::counts& allocations, const allocation_costs& costs) {
    double sum = 0;
    for (std::size_t i = 0; i < allocations.size(); ++i) {
        if (allocations[i] != 0) sum += allocations[i] * costs.of_class(i);
    }
    return sum;
}

/// Computes the optimum with both ways to pair, and returns the better one for each bound.
class better_optimum {
public:
    explicit better_optimum(const workload& work)
        : by_size_(work, paired::by_size), by_class_(work, paired::by_class) {}

    /// Returns the bounds up to the first that has room for all pairs. Larger ones have the same
    /// result.
    [[nodiscard]] std::vector<std::size_t> bounds() const {
        std::vector<std::size_t> all = all_bounds();
        const double most = std::max(by_size_.most_idle(), by_class_.most_idle());
        const auto last = std::find_if(all.begin(), all.end(), [&](std::size_t bound) {
            return static_cast<double>(bound) >= most;
        });
        if (last != all.end()) all.erase(last + 1, all.end());
        return all;
    }
    [[nodiscard]] std::vector<kept_pairs> best(const offline_optimum::value_of_size& value) const {
        std::vector<kept_pairs> best = by_size_.best(bounds(), value);
        const std::vector<kept_pairs> other = by_class_.best(bounds(), value);
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (other[i].yield > best[i].yield) best[i] = other[i];
        }
        return best;
    }

private:
    offline_optimum by_size_;
    offline_optimum by_class_;
};

/// Appends the figures of a setting that depend on the allocator's costs for the workload. `whole`
/// is the cost of the workload without a cache, in nanoseconds.
using priced_figures =
    std::function<void(const allocation_costs& costs, double whole, std::vector<double>& to)>;

double time_saved(const replayed& done, const allocation_costs& costs, double whole) {
    return percent(whole - cost_of(done.allocations, costs), whole);
}

/// The measurements that need the prices of one workload, in the order of its figures.
struct priced_workload {
    explicit priced_workload(const workload& of) : work(&of), sizes(groups_of_sizes(of)) {}

    const workload* work;
    std::vector<std::size_t> sizes;
    bool prices_are_wanted = false;
    std::vector<priced_figures> settings;
    /// Null if it is not wanted.
    std::shared_ptr<const better_optimum> optimum;

    void append_figures(std::vector<double>& to) const {
        const std::vector<price> prices = measure_prices(*work);
        std::vector<freehold::allocation_cost> points;
        for (const price& each : prices) points.push_back(each.cost);
        const allocation_costs costs{std::span<const freehold::allocation_cost>(points)};
        const double whole = cost_of(*work, costs);
        if (prices_are_wanted) {
            for (const auto& each : points) to.push_back(each.nanoseconds);
        }
        for (const priced_figures& append : settings) append(costs, whole, to);
        if (!optimum) return;
        for (const kept_pairs& each :
             optimum->best([&](std::size_t size) { return costs.of(size); })) {
            to.push_back(percent(each.yield, whole));
        }
    }
};

class front_builder {
public:
    front_builder(plan& into, const selection& chosen) : into_(into), chosen_(chosen) {}

    void add(const workload& work, const std::vector<compared_policy>& policies) {
        priced_workload priced(work);
        if (chosen_.wants(subjects::glibc)) {
            priced.prices_are_wanted = true;
            for (const std::size_t size : priced.sizes) {
                figures_.push_back({key_of(subjects::glibc.name), work.key + ".allocator_price",
                                    static_cast<std::int64_t>(size)});
            }
        }
        for (const compared_policy& policy : policies) {
            if (chosen_.wants(policy.subject)) add_played(policy, priced);
        }
        if (chosen_.wants(subjects::offline_optimum)) add_optimum(priced);
        priced_.push_back(std::move(priced));
    }

    /// Measures the prices again for each repetition.
    void finish() {
        if (figures_.empty()) return;
        into_.joint.push_back({figures_, [priced = priced_] {
                                   std::vector<double> values;
                                   for (const auto& each : priced) each.append_figures(values);
                                   return values;
                               }});
    }

private:
    void add_time_saved(const std::string& subject, const std::string& work, std::int64_t n) {
        figures_.push_back({subject, work + ".time_saved", n});
    }

    void add_played(const compared_policy& policy, priced_workload& priced) {
        const std::string key = key_of(policy.subject.name);
        std::int64_t n = 0;
        for (const policy_setting& each : policy.settings) {
            const numbered_setting setting{key, priced.work->key, ++n, each.note};
            if (policy.knows_costs) {
                for (const char* const each_case : cases_of_point) {
                    figures_.push_back(setting(each_case));
                }
                priced.settings.push_back(
                    [work = priced.work, play = each.play](const allocation_costs& costs,
                                                           double whole, std::vector<double>& to) {
                        const replayed done = play(*work, costs);
                        const point_values values = values_of(done);
                        to.insert(to.end(), values.begin(), values.end());
                        to.push_back(time_saved(done, costs, whole));
                    });
            } else {
                const replayed done = each.play(*priced.work, {});
                add_exact(into_, setting, values_of(done));
                priced.settings.push_back(
                    [done](const allocation_costs& costs, double whole, std::vector<double>& to) {
                        to.push_back(time_saved(done, costs, whole));
                    });
            }
            add_time_saved(key, priced.work->key, n);
        }
    }

    void add_optimum(priced_workload& priced) {
        const std::string key = key_of(subjects::offline_optimum.name);
        priced.optimum = std::make_shared<const better_optimum>(*priced.work);
        const std::vector<std::size_t> bounds = priced.optimum->bounds();
        const std::vector<kept_pairs> best = priced.optimum->best([](std::size_t) { return 1.0; });
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            const auto n = static_cast<std::int64_t>(i + 1);
            const std::string note = in_words(bounds[i]) + ", in the mean";
            add_exact(into_, {key, priced.work->key, n, note}, values_of(best[i]));
            add_time_saved(key, priced.work->key, n);
        }
    }

    plan& into_;
    const selection& chosen_;
    std::vector<figure> figures_;
    std::vector<priced_workload> priced_;
};

void add_fronts(plan& into, const selection& chosen) {
    const std::vector<compared_policy> policies = all_policies();
    front_builder builder(into, chosen);
    for (const workload& work : all_workloads()) builder.add(work, policies);
    builder.finish();
}

std::vector<subject> all_subjects() {
    std::vector<subject> all = subjects_of({subjects::glibc, subjects::offline_optimum});
    for (const compared_policy& each : all_policies()) all.push_back(subject_of(each.subject));
    return all;
}

const registration here("buffers", add_fronts, all_subjects());

}  // namespace

}  // namespace lab::buffers
