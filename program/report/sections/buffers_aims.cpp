// SPDX-License-Identifier: BSL-1.0
#include "report/sections/buffers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::string article = "article";

/// An aim, and how its figure is had in one setting.
struct buffers_aim {
    aim_row row;
    aim_source source;  // the index is not used
};

class wanted_aims {
public:
    wanted_aims(const buffers_figures& figures, const std::vector<workload_fronts>& fronts)
        : figures_(figures), fronts_(fronts) {
        add_unused(article, 1);
        add_misses(12, 6);
        add_misses(51, 1.5);
        for (const auto& workload : workloads()) {
            if (workload != article) add_unused(workload, 100 - used_at_least);
        }
        for (const auto& workload : workloads()) {
            add_time_left(workload, {.name = "best other"});
            add_time_left(workload, {.name = "other as thrifty", .least_used = used_at_least});
            add_time_left(workload, {.name = "other, as many unused",
                                     .counted = &front_point::unused,
                                     .is_counted = &front_point::knows_unused});
        }
        add_slowest("get and put, any size", "get and put", 5);
        add_counters(1.10);
        add_slowest("returned across threads", "returned across threads", 25);
    }

    [[nodiscard]] const std::vector<buffers_aim>& all() const { return all_; }

private:
    std::vector<std::string> workloads() const {
        std::vector<std::string> names;
        for (const auto& each : fronts_) {
            if (std::find(names.begin(), names.end(), each.workload) == names.end()) {
                names.push_back(each.workload);
            }
        }
        return names;
    }

    const workload_fronts* find(const std::string& workload, const setting& where) const {
        for (const auto& each : fronts_) {
            if (each.workload == workload && each.where->label == where.label) return &each;
        }
        return nullptr;
    }

    void add(aim_row row, std::function<aim_figure(const setting&)> source) {
        all_.push_back(
            {std::move(row), [source = std::move(source)](std::size_t, const setting& where) {
                 return source(where);
             }});
    }

    /// Of freehold's policy in a workload, where both were measured.
    void add_front(aim_row row, const std::string& workload,
                   std::function<aim_figure(const workload_fronts&, const policy_front&)> figure) {
        add(std::move(row), [=, this](const setting& where) -> aim_figure {
            const auto* fronts = find(workload, where);
            const auto* own = fronts == nullptr ? nullptr : fronts->find(own_policy);
            return own == nullptr ? aim_figure{} : figure(*fronts, *own);
        });
    }

    void add_unused(const std::string& workload, double at_most) {
        add_front({workload + ", not used", "", at_most, "%"}, workload,
                  [](const workload_fronts&, const policy_front& own) -> aim_figure {
                      double most = 0;
                      for (const auto& point : own.points) most = std::max(most, 100 - point.used);
                      return {with_error(most, 0), {}};
                  });
    }

    /// Of whichever of freehold's policies has fewer.
    void add_misses(double kibibytes, double at_most) {
        add_front(
            {fmt::format("{}, misses with {} KiB idle", article, kibibytes), "", at_most, "%"},
            article, [=](const workload_fronts& fronts, const policy_front&) -> aim_figure {
                const double idle = kibibytes * kibibyte;
                const auto hits = best_own(fronts, idle, &front_point::hit_rate);
                return {with_error(100 - hits.value_or(0), 0), {}};
            });
    }

    /// What the others that it is held against have in common with a setting of its own.
    struct rivals {
        std::string name;
        double least_used = 0;
        double front_point::*counted = &front_point::idle;
        bool front_point::*is_counted = nullptr;  // nullptr: always
    };

    /// Both are priced by the same list, whose errors they share: the ratio is taken as it is.
    void add_time_left(const std::string& workload, const rivals& other) {
        add_front({workload + ", time left: " + other.name, other.name, 1, ""}, workload,
                  [=](const workload_fronts& fronts, const policy_front& own) -> aim_figure {
                      std::optional<double> worst;
                      for (const auto& point : own.points) {
                          if (!point.is_priced) continue;
                          if (other.is_counted != nullptr && !(point.*other.is_counted)) continue;
                          const auto saved =
                              best_other(fronts, point.*other.counted, &front_point::saved,
                                         other.least_used, other.counted);
                          if (!saved) return {std::nullopt, other.name};
                          if (!(*saved < 100)) continue;
                          worst = std::max(worst.value_or(0), (100 - point.saved) / (100 - *saved));
                      }
                      if (!worst) return {};
                      return {with_error(*worst, 0), {}};
                  });
    }

    void add_slowest(const std::string& what, const std::string& test, double at_most) {
        add({what, "", at_most, "ns"}, [=, this](const setting& where) -> aim_figure {
            std::optional<estimate> slowest;
            for (const auto& [size, time] : figures_.sizes(where, own_cache, test)) {
                if (!slowest || time.value > slowest->value) slowest = time;
            }
            return {slowest, {}};
        });
    }

    /// Of the times of all sizes together.
    void add_counters(double at_most) {
        const std::string other = "not counted";
        add({"get and put: " + other, other, at_most, ""}, [=, this](const setting& where) {
            const auto counted = figures_.sizes(where, own_cache, "get and put");
            const auto plain = figures_.sizes(where, own_cache + ", " + other, "get and put");
            if (counted.empty()) return aim_figure{};
            std::optional<estimate> a;
            std::optional<estimate> b;
            for (const auto& [size, time] : counted) {
                const auto reference = plain.find(size);
                if (reference == plain.end()) continue;
                a = a ? sum(*a, time) : time;
                b = b ? sum(*b, reference->second) : reference->second;
            }
            return a ? aim_figure{ratio(*a, *b), {}} : aim_figure{std::nullopt, other};
        });
    }

    static estimate sum(const estimate& a, const estimate& b) {
        const auto half = [](const estimate& each) {
            return (each.bounds.high - each.bounds.low) / 2;
        };
        return with_error(a.value + b.value, std::hypot(half(a), half(b)));
    }

    const buffers_figures& figures_;
    const std::vector<workload_fronts>& fronts_;
    std::vector<buffers_aim> all_;
};

}  // namespace

aims_result buffers_aims_of(const buffers_figures& figures,
                            const std::vector<workload_fronts>& fronts) {
    const wanted_aims wanted(figures, fronts);
    std::vector<aim_row> rows;
    for (const auto& each : wanted.all()) rows.push_back(each.row);
    return aims_of(
        {.id = "buffers-aims",
         .caption = "What freehold's buffer_cache is to reach, and what it does",
         .note =
             "Not used: bytes handed out that nobody asked for, in the worst of "
             "greedy_dual_fit's settings. Misses: between two settings, as if each were used "
             "for a part of the time; of whichever of freehold's has fewer. Time left: what "
             "the allocator still takes, in the worst of the settings, as a ratio to the policy "
             "that leaves least with as many idle bytes; as thrifty: among settings that have "
             "97 % used too; as many unused: with as many bytes that are idle or handed out "
             "beyond what was asked for, so that a policy which hands out large buffers for small "
             "requests pays for them as for idle ones. Any size: the slowest. Unsure: the aim lies "
             "within the interval.",
         .row_header = "what"},
        rows, figures.settings(), [&](std::size_t index, const setting& where) {
            return wanted.all()[index].source(index, where);
        });
}

}  // namespace freehold
