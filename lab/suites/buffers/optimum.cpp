// SPDX-License-Identifier: BSL-1.0
#include "suites/buffers/optimum.hpp"

#include <freehold/buffer/size_class.hpp>

#include <algorithm>
#include <unordered_map>

namespace lab::buffers {
namespace {

std::size_t capacity_for(std::size_t size, paired how) {
    if (how == paired::by_size) return size;
    return freehold::size_class::smallest(freehold::size_class::of(size) + 1) - 1;
}

}  // namespace

offline_optimum::offline_optimum(const workload& work, paired how)
    : steps_(static_cast<double>(work.steps.size())) {
    struct held {
        std::size_t size;
        std::size_t capacity;
    };
    std::vector<held> slots(work.slots);
    std::unordered_map<std::size_t, std::vector<std::size_t>> returned;  // steps, by capacity
    double asked = 0;
    double handed_out = 0;
    double asked_over_time = 0;
    double handed_out_over_time = 0;
    for (std::size_t now = 0; now < work.steps.size(); ++now) {
        const step& each = work.steps[now];
        held& slot = slots[each.slot];
        if (each.size == step::put) {
            asked -= static_cast<double>(slot.size);
            handed_out -= static_cast<double>(slot.capacity);
            returned[slot.capacity].push_back(now);
            ++returns_;
        } else {
            slot = {each.size, capacity_for(each.size, how)};
            asked += static_cast<double>(slot.size);
            handed_out += static_cast<double>(slot.capacity);
            ++requests_;
            std::vector<std::size_t>& waiting = returned[slot.capacity];
            if (!waiting.empty()) {
                pairs_.push_back({slot.size, static_cast<double>(slot.capacity) *
                                                 static_cast<double>(now - waiting.back())});
                cost_of_all_ += pairs_.back().cost;
                waiting.pop_back();
            }
        }
        asked_over_time += asked;
        handed_out_over_time += handed_out;
    }
    if (handed_out_over_time > 0) used_ = asked_over_time / handed_out_over_time;
    wasted_ = (handed_out_over_time - asked_over_time) / steps_;
}

std::vector<kept_pairs> offline_optimum::best(const std::vector<std::size_t>& idle_bytes,
                                              const value_of_size& value) const {
    struct valued {
        double cost;
        double yield;
    };
    std::vector<valued> order;
    order.reserve(pairs_.size());
    for (const pair& each : pairs_) order.push_back({each.cost, value(each.asked)});
    std::sort(order.begin(), order.end(),
              [](const valued& a, const valued& b) { return a.yield * b.cost > b.yield * a.cost; });

    std::vector<kept_pairs> results;
    double cost = 0;
    double yield = 0;
    double kept = 0;
    auto next = order.begin();
    for (const std::size_t bytes : idle_bytes) {
        const double affordable = static_cast<double>(bytes) * steps_;
        for (; next != order.end() && cost + next->cost <= affordable; ++next) {
            cost += next->cost;
            yield += next->yield;
            ++kept;
        }
        kept_pairs result;
        result.hit_rate = kept / requests_;
        result.yield = yield;
        result.idle = cost / steps_;
        result.unused = result.idle + wasted_;
        result.used = used_;
        result.calls_for_each_request = (requests_ + returns_ - 2 * kept) / requests_;
        results.push_back(result);
    }
    return results;
}

}  // namespace lab::buffers
