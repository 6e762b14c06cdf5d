// SPDX-License-Identifier: BSL-1.0
// What a cache that knew the future could do with the same idle bytes, if it handed out no byte
// that was not asked for: the bar that settings are held against.
//
// Each request is matched with the buffer of exactly its size that was freed last, for that one
// would have lain idle for the shortest time. What lies in between costs bytes x time and saves
// what the request would have cost; the matches are taken by what they save for each byte x time,
// the best first, until the mean of idle bytes is reached. The cap on the peak is not asked for,
// so no cache of exact sizes does better; one that hands out more than was asked for can, because
// it may serve a request with a buffer of another size.
#pragma once

#include <freehold/cache/allocation_costs.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace freehold {

class offline_optimum {
public:
    struct point {
        double mean_idle = 0;   // bytes
        double hit_rate = 0;    // shares
        double time_saved = 0;  // of the allocator's time
    };

    /// What a match is taken for.
    enum class aim { hits, time };

    /// The costs outlive it.
    offline_optimum(const allocation_costs& costs, aim wanted) : costs_(costs), aim_(wanted) {}

    /// What came before counts no more, but buffers that are idle now may be asked for.
    void begin(std::uint64_t time);
    void request(std::uint64_t time, std::uint64_t size);
    void release(std::uint64_t time, std::uint64_t size);
    void end(std::uint64_t time) { end_ = time; }

    /// The best with so many idle bytes in the mean, or with fewer if more are of no use.
    [[nodiscard]] point at(double mean_idle) const;

private:
    struct matches {
        double idle = 0;  // bytes x time
        double saved = 0;
        double hits = 0;
    };
    static constexpr int buckets_per_doubling = 16;
    static constexpr int least_exponent = -96;
    static constexpr int greatest_exponent = 32;
    static constexpr std::size_t buckets =
        (greatest_exponent - least_exponent) * buckets_per_doubling;
    /// Those freed long ago are forgotten when there are so many: what lies that long is not worth
    /// keeping.
    static constexpr std::size_t most_idle = std::size_t{1} << 20U;

    [[nodiscard]] static std::size_t bucket_of(double value, double idle);
    void forget_oldest();

    const allocation_costs& costs_;
    aim aim_;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> idle_since_;  // by size
    std::size_t idle_ = 0;
    std::array<matches, buckets> by_worth_{};
    double requests_ = 0;
    double cost_ = 0;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace freehold
