// SPDX-License-Identifier: BSL-1.0
// What a cache could have had that knew a workload's requests beforehand, with so many idle bytes
// in the mean: no policy can do better with buffers of the sizes that it pairs.
//
// Each return is paired with the next request of its size, the last to come back first, so that
// each pair lies idle for so many bytes times so many steps, whatever becomes of the others. Kept
// are those that yield most for that, until the mean is used up.
#pragma once

#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lab::buffers {

/// Whether buffers are as large as was asked, or as the largest size of the library's class, so
/// that all requests of a class can be paired.
enum class paired { by_size, by_class };

struct kept_pairs {
    /// Of all requests, those that were hits, 0 to 1.
    double hit_rate = 0;
    /// What these yielded together.
    double yield = 0;
    /// Mean bytes; the second with those handed out beyond what was asked for.
    double idle = 0;
    double unused = 0;
    /// Of the bytes handed out, over time, 0 to 1.
    double used = 1;
    /// Requests and returns that were not paired with each other.
    double calls_for_each_request = 0;
};

class offline_optimum {
public:
    offline_optimum(const workload& work, paired how);

    /// What hits yield, by the size that was asked for.
    using value_of_size = std::function<double(std::size_t)>;

    /// With at most so many idle bytes in the mean; one for each of `idle_bytes`, which rise.
    [[nodiscard]] std::vector<kept_pairs> best(const std::vector<std::size_t>& idle_bytes,
                                               const value_of_size& value) const;
    /// The mean if all pairs were kept.
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
    double wasted_ = 0;  // mean bytes handed out beyond what was asked for
    double cost_of_all_ = 0;
};

}  // namespace lab::buffers
