// SPDX-License-Identifier: BSL-1.0
// The best result of a cache that knows a workload's requests beforehand and keeps a given mean of
// idle bytes. No policy can do better with buffers of the sizes that are paired here.
//
// Each return is paired with the next request of its size; the buffer that came back last is used
// first. So each pair costs a number of idle bytes times a number of steps, which does not depend
// on other pairs. The optimum keeps the pairs with the highest yield for this cost, until they
// reach the given mean.
#pragma once

#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lab::buffers {

/// Whether a buffer has the size that was requested, or the largest size of the library's class. In
/// the second case all requests of a class can be paired.
enum class paired { by_size, by_class };

struct kept_pairs {
    /// The part of all requests that were hits, 0 to 1.
    double hit_rate = 0;
    /// The yield of all hits together.
    double yield = 0;
    /// Mean bytes. `unused` also includes the bytes handed out beyond the requested ones.
    double idle = 0;
    double unused = 0;
    /// The part of the handed-out bytes that was requested, over time, 0 to 1.
    double used = 1;
    /// The number of requests and returns without a partner, for each request.
    double calls_for_each_request = 0;
};

class offline_optimum {
public:
    offline_optimum(const workload& work, paired how);

    /// The yield of a hit, by the requested size.
    using value_of_size = std::function<double(std::size_t)>;

    /// Returns one result for each of `idle_bytes`, which must rise. Each is the most mean idle
    /// bytes.
    [[nodiscard]] std::vector<kept_pairs> best(const std::vector<std::size_t>& idle_bytes,
                                               const value_of_size& value) const;
    /// The mean of idle bytes if all pairs were kept.
    [[nodiscard]] double most_idle() const noexcept { return cost_of_all_ / steps_; }

private:
    struct pair {
        std::size_t asked;
        double cost;  // bytes times steps
    };

    std::vector<pair> pairs_;
    double steps_ = 0;
    double requests_ = 0;
    double returns_ = 0;
    double used_ = 1;
    double wasted_ = 0;  // mean bytes handed out beyond the requested ones
    double cost_of_all_ = 0;
};

}  // namespace lab::buffers
