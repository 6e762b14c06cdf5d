// SPDX-License-Identifier: BSL-1.0
// The parts of the section on buffer caches: the article's tables and its course, what each policy
// hits for the bytes that it keeps idle, what a get and a put take, and the aims.
#pragma once

#include "report/sections/aims.hpp"
#include "report/sections/medians.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// The suite's medians. Refers to the settings; keep them alive.
class buffers_figures {
public:
    explicit buffers_figures(const std::vector<setting>& settings);

    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }
    [[nodiscard]] const std::vector<contender>& contenders() const { return contenders_; }

    /// By step, by number of the policy's setting, or by bytes.
    [[nodiscard]] std::map<std::int64_t, estimate> sizes(const setting& where,
                                                         const std::string& competitor,
                                                         const std::string& test) const;

private:
    const std::vector<setting>& settings_;
    std::vector<contender> contenders_;
    suite_medians medians_;
};

inline const std::string flawed_policy = "keep_largest";
inline const std::string mended_policy = "keep_first_below";
inline const std::string own_policy = "greedy_dual_fit";
inline const std::string offline_optimum = "offline optimum";
inline const std::string own_cache = "freehold::buffer_cache";

constexpr double kibibyte = 1024;

/// How many of the figures that the article printed a setting measured, and how many came out.
struct printed_agreement {
    std::size_t measured = 0;
    std::size_t same = 0;
};
[[nodiscard]] printed_agreement printed_agreement_of(const buffers_figures& figures,
                                                     const setting& where);

/// What belongs together of one setting of a policy.
struct front_point {
    std::string setting;     // in words
    double idle = 0;         // bytes, mean
    double hit_rate = 0;     // %
    double used = 0;         // %
    double calls = 0;        // that reached the allocator, of 1000 requests
    double saved = 0;        // % of the allocator's time
    bool is_priced = false;  // whether `saved` is known
    double unused = 0;       // bytes, mean: idle, or handed out beyond what was asked for
    bool knows_unused = false;
};

/// A policy's settings in one workload, in their order.
struct policy_front {
    contender who;
    std::vector<front_point> points;

    /// The most of `figure` that so many bytes yield. Between two settings it is what a cache would
    /// have that used each for a part of the time; below the first, no cache for a part. Settings
    /// that have less used are passed over.
    [[nodiscard]] double at(double bytes, double front_point::*figure, double least_used = 0,
                            double front_point::*counted = &front_point::idle) const;
};

struct workload_fronts {
    std::string workload;
    std::string label;  // with the setting where several files have it
    const setting* where = nullptr;
    std::vector<policy_front> policies;

    [[nodiscard]] const policy_front* find(const std::string& policy) const;
};

/// Policies are played once in each file: what they do is the same whatever the compiler.
[[nodiscard]] std::vector<workload_fronts> fronts_of(const buffers_figures& figures);

/// The most of `figure` that freehold's policies have at so many idle bytes, and that others have
/// at so many as are `counted`, the optimum left out; nothing where there is none.
[[nodiscard]] std::optional<double> best_own(const workload_fronts& fronts, double idle,
                                             double front_point::*figure);
[[nodiscard]] std::optional<double> best_other(const workload_fronts& fronts, double bytes,
                                               double front_point::*figure, double least_used = 0,
                                               double front_point::*counted = &front_point::idle);

/// What is asked of freehold's policy, and of those that it is held against on equal terms: a cache
/// that hands out big buffers for small ones has hits for idle bytes that are not idle.
constexpr double used_at_least = 97;

using buffers_blocks = std::vector<report_block>;

/// Each gives blocks only where there is something to show.
[[nodiscard]] buffers_blocks article_blocks(const buffers_figures& figures);
[[nodiscard]] buffers_blocks front_blocks(const std::vector<workload_fronts>& fronts);
[[nodiscard]] buffers_blocks buffer_time_blocks(const buffers_figures& figures);

[[nodiscard]] aims_result buffers_aims_of(const buffers_figures& figures,
                                          const std::vector<workload_fronts>& fronts);

}  // namespace freehold
