// SPDX-License-Identifier: BSL-1.0
#include "placements.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace freehold::analyse {

bool depends_on_placement(const samples_by_process& samples, std::size_t placements) {
    constexpr double counts = 1.1;
    if (placements < 2 || samples.size() < 2 * placements) return false;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double highest_minimum = -infinity;
    double lowest_maximum = infinity;
    for (std::size_t placement = 0; placement != placements; ++placement) {
        double minimum = infinity;
        double maximum = -infinity;
        for (std::size_t p = placement; p < samples.size(); p += placements) {
            for (const double sample : samples[p]) {
                minimum = std::min(minimum, sample);
                maximum = std::max(maximum, sample);
            }
        }
        highest_minimum = std::max(highest_minimum, minimum);
        lowest_maximum = std::min(lowest_maximum, maximum);
    }
    return lowest_maximum > 0 && highest_minimum > counts * lowest_maximum;
}

}  // namespace freehold::analyse
