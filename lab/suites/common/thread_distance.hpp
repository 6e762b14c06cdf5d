// SPDX-License-Identifier: BSL-1.0
// The distance between the threads of a group: how soon called threads answer. The host of a
// virtual machine moves its processors. Depending on where two of them run, what one has written
// reaches the other after 20, 55 or 330 ns. That alone decides what sharing costs.
#pragma once

#include "suites/common/patience.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace lab {

/// Delays a measurement until the threads' distance is about what it is most of the time. Meanwhile
/// the threads sleep, because a host chooses a new place for a processor when it wakes. On a
/// machine whose processors stay in place they sleep only once, while the usual distance is
/// learned.
class distance_watch {
public:
    /// Groups of one size have the same processors, and so the same usual distance.
    static distance_watch& of_teams_of(std::size_t threads) {
        static std::map<std::size_t, distance_watch> all;
        return all[threads];
    }

    /// `distance()` returns seconds. `rest(nanoseconds)` puts all threads to sleep for that time.
    template <class Distance, class Rest>
    void wait_until_usual(Distance&& distance, Rest&& rest) {
        if (usual_ == 0) look_around(distance, rest);
        while (!is_usual(distance()) && patience_.takes(a_while)) rest(a_while);
    }

    void measured(double seconds) noexcept {
        patience_.measured(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
    }

private:
    static constexpr std::chrono::nanoseconds a_while = std::chrono::milliseconds(5);
    /// On an EPYC, threads of one core answer in 40 to 60 ns, those of cores that share a cache in
    /// 80 to 130, others in 330 to 700.
    static constexpr double tolerated = 1.5;

    template <class Distance, class Rest>
    void look_around(Distance&& distance, Rest&& rest) {
        std::array<double, 21> seen;
        for (double& each : seen) {
            rest(a_while);
            // A processor that wakes does not run at full speed at once.
            const auto awake = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
            do {
                each = distance();
            } while (std::chrono::steady_clock::now() < awake);
        }
        std::sort(seen.begin(), seen.end());
        usual_ = seen[seen.size() / 2];
    }

    bool is_usual(double distance) const noexcept {
        return distance <= usual_ * tolerated && usual_ <= distance * tolerated;
    }

    double usual_ = 0;
    patience patience_;
};

}  // namespace lab
