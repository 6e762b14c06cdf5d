// SPDX-License-Identifier: BSL-1.0
#include "advise/offline_optimum.hpp"

#include <algorithm>
#include <cmath>

namespace freehold {

std::size_t offline_optimum::bucket_of(double value, double idle) {
    if (value <= 0) return 0;
    if (idle <= 0) return buckets - 1;
    const double place = (std::log2(value / idle) - least_exponent) * buckets_per_doubling;
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(buckets - 1)));
}

void offline_optimum::begin(std::uint64_t time) {
    begin_ = time;
    by_worth_.fill({});
    requests_ = 0;
    cost_ = 0;
}

void offline_optimum::request(std::uint64_t time, std::uint64_t size) {
    const double cost = costs_.of(size);
    ++requests_;
    cost_ += cost;
    const auto found = idle_since_.find(size);
    if (found == idle_since_.end()) return;
    const std::uint64_t since = std::max(found->second.back(), begin_);
    found->second.pop_back();
    --idle_;
    if (found->second.empty()) idle_since_.erase(found);

    const double idle = static_cast<double>(size) * static_cast<double>(time - since);
    matches& same = by_worth_[bucket_of(aim_ == aim::hits ? 1.0 : cost, idle)];
    same.idle += idle;
    same.saved += cost;
    ++same.hits;
}

void offline_optimum::release(std::uint64_t time, std::uint64_t size) {
    idle_since_[size].push_back(time);
    if (++idle_ > most_idle) forget_oldest();
}

void offline_optimum::forget_oldest() {
    std::vector<std::uint64_t> times;
    times.reserve(idle_);
    for (const auto& [size, since] : idle_since_) {
        times.insert(times.end(), since.begin(), since.end());
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    for (auto each = idle_since_.begin(); each != idle_since_.end();) {
        auto& since = each->second;
        const auto kept = std::upper_bound(since.begin(), since.end(), *middle);
        idle_ -= static_cast<std::size_t>(kept - since.begin());
        since.erase(since.begin(), kept);
        each = since.empty() ? idle_since_.erase(each) : std::next(each);
    }
}

offline_optimum::point offline_optimum::at(double mean_idle) const {
    const double duration = static_cast<double>(end_ - std::min(begin_, end_));
    double left = mean_idle * duration;
    matches taken;
    for (auto each = by_worth_.rbegin(); each != by_worth_.rend(); ++each) {
        const double share = each->idle <= left ? 1.0 : left / each->idle;
        taken.idle += share * each->idle;
        taken.saved += share * each->saved;
        taken.hits += share * each->hits;
        left -= share * each->idle;
        if (share < 1) break;
    }
    point found;
    if (duration > 0) found.mean_idle = taken.idle / duration;
    if (requests_ > 0) found.hit_rate = taken.hits / requests_;
    if (cost_ > 0) found.time_saved = taken.saved / cost_;
    return found;
}

}  // namespace freehold
