// SPDX-License-Identifier: BSL-1.0
// How far the threads of a team are from each other: how soon those that are called come back. A
// virtual machine's processors wander over the host's; what one of them has written reaches the
// other after 55 ns or after 330, by where the two are, and that alone decides what sharing costs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <thread>

namespace lab {

/// Lets a team be measured only where its threads are about as near to each other as they ever were
/// in this process. While they are not, it sleeps, which is what makes a host place a processor
/// anew; but in all no longer than it was measured, and a second. Where processors stay in their
/// places it never does.
class distance_watch {
public:
    /// Teams of one size have the same processors, and share what is nearest.
    static distance_watch& of_teams_of(std::size_t threads) {
        static std::map<std::size_t, distance_watch> all;
        return all[threads];
    }

    /// `distance()` in seconds.
    template <class Distance>
    void wait_while_far(Distance&& distance) {
        while (far(distance()) && left_ >= a_while) {
            std::this_thread::sleep_for(a_while);
            left_ -= a_while;
        }
    }

    void measured(double seconds) noexcept {
        left_ += std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
    }

private:
    static constexpr std::chrono::nanoseconds a_while = std::chrono::milliseconds(20);
    /// Above what a processor's clock rate changes; below what another place does, twice at least.
    static constexpr double tolerated = 1.5;

    bool far(double distance) noexcept {
        nearest_ = std::min(nearest_, distance);
        return distance > tolerated * nearest_;
    }

    double nearest_ = std::numeric_limits<double>::infinity();
    std::chrono::nanoseconds left_ = std::chrono::seconds(1);
};

}  // namespace lab
