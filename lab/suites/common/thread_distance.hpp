// SPDX-License-Identifier: BSL-1.0
// How far the threads of a group are from each other: how soon those that are called come back. A
// virtual machine's processors wander over the host's; what one of them has written reaches the
// other after 20, 55 or 330 ns, by where the two are, and that alone decides what sharing costs.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace lab {

/// Lets a thread group be measured only where its threads are about as far from each other as they
/// are most of the time. While they are not, it has them rest: a host places a processor anew when
/// that is woken. But in all they rest no longer than they were measured, and a second. Where
/// processors stay in their places they never do, but at first, to learn the distance.
class distance_watch {
public:
    /// Teams of one size have the same processors, and share what is usual.
    static distance_watch& of_teams_of(std::size_t threads) {
        static std::map<std::size_t, distance_watch> all;
        return all[threads];
    }

    /// `distance()` in seconds; `rest(nanoseconds)` has all threads but the calling one sleep until
    /// that has slept so long and wakes them.
    template <class Distance, class Rest>
    void wait_until_usual(Distance&& distance, Rest&& rest) {
        if (usual_ == 0) look_around(distance, rest);
        while (!is_usual(distance()) && left_ >= a_while) {
            rest(a_while);
            left_ -= a_while;
        }
    }

    void measured(double seconds) noexcept {
        left_ += std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
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
            // A processor that was asleep takes a while to run as fast as it does when measured.
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
    std::chrono::nanoseconds left_ = std::chrono::seconds(1);
};

}  // namespace lab
