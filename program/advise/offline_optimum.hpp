// SPDX-License-Identifier: BSL-1.0
// Computes what a cache that knows the future could do with the same idle bytes, if it handed out
// only the bytes that were asked for. Settings are compared with it.
//
// Each request is matched with the buffer of exactly its size that was freed last, because that
// buffer was idle for the shortest time. A match costs bytes x time of idleness, and saves the cost
// of the request. Matches are taken in the order of their saving for each byte x time, the best
// first, until the mean of idle bytes is reached. The peak of idle bytes is not limited, so no
// cache of exact sizes does better. A cache that hands out more bytes than were asked for can do
// better, because it may serve a request with a buffer of another size.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>

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
        double hit_rate = 0;    // a share of the requests
        double time_saved = 0;  // a share of the allocator's time
    };

    /// What the matches maximise.
    enum class aim { hits, time };

    /// `costs` must outlive this object.
    offline_optimum(const allocation_costs& costs, aim wanted) : costs_(costs), aim_(wanted) {}

    /// Earlier requests no longer count. Buffers that are idle now can still serve requests.
    void begin(std::uint64_t time);
    void request(std::uint64_t time, std::uint64_t size);
    void release(std::uint64_t time, std::uint64_t size);
    void end(std::uint64_t time) { end_ = time; }

    /// The best result with this mean of idle bytes, or with fewer if more bytes would save
    /// nothing.
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
    /// With more idle buffers, the half that was freed first is forgotten. It has been idle for too
    /// long to be worth keeping.
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
