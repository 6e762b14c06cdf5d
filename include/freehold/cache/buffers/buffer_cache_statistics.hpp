// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache tells of itself. The three figures that belong together are the hit rate, how
// much of what is handed out is used, and what lies idle for it: any two are easily had by ruining
// the third.
//
// While other threads use the cache, each number is right for a moment of the question, not all for
// the same one: what just came back shows as idle until it is dropped, beyond all bounds if it is
// large.
#pragma once

#include <freehold/cache/buffers/buffer_counters.hpp>

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <ios>
#include <ostream>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

// How often sizes from `smallest` to `largest` were asked for.
struct size_bucket {
    std::size_t smallest;
    std::size_t largest;
    std::uint64_t requests;
};

struct buffer_class_statistics {
    std::size_t smallest = 0;
    std::size_t largest = 0;
    // Requests of such sizes. Hits were served from what was idle.
    std::uint64_t requests = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    // Buffers of such capacities: what was asked for when they were handed out, and what that was.
    std::uint64_t bytes_asked = 0;
    std::uint64_t bytes_handed_out = 0;
    // A drop came back and was not kept; an eviction was kept, and went
    // without having been used again.
    std::uint64_t returns = 0;
    std::uint64_t drops = 0;
    std::uint64_t evictions = 0;
    std::uint64_t idle = 0;  // bytes, now
};

struct buffer_cache_statistics {
    std::string name;
    std::uint64_t requests = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t returns = 0;
    std::uint64_t drops = 0;
    std::uint64_t evictions = 0;
    std::uint64_t remote_returns = 0;  // on another thread than had asked for the buffer
    std::uint64_t bytes_asked = 0;
    std::uint64_t bytes_handed_out = 0;
    // Bytes, now: what users of buffers have asked for, what they have, and what waits for others.
    std::uint64_t in_use_asked = 0;
    std::uint64_t in_use = 0;
    std::uint64_t idle = 0;
    // Classes that saw anything, from the smallest.
    std::vector<buffer_class_statistics> classes;

    // 0 to 1; of nothing, 0 and 1.
    [[nodiscard]] double hit_rate() const noexcept {
        return requests == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(requests);
    }
    [[nodiscard]] double used() const noexcept {
        return bytes_handed_out == 0
                   ? 1
                   : static_cast<double>(bytes_asked) / static_cast<double>(bytes_handed_out);
    }
};

namespace detail {

// Sums what the parts of a cache count.
class buffer_statistics_sum {
public:
    void add(const buffer_counters& part, const upstream_counters& upstream) {
        for (std::size_t i = 0; i != size_class::count; ++i) {
            const buffer_counters::class_sums from = part.of_class(i);
            buffer_class_statistics& to = classes_[i];
            to.requests += from.requests;
            to.bytes_asked += from.bytes_asked;
            to.bytes_handed_out += from.bytes_handed_out;
            to.returns += from.returns;
            to.misses += from.misses;
            to.drops += from.drops;
            to.evictions += from.evictions;
            returned_ += from.bytes_asked_returned;
            // Came back, and was neither handed out again nor given to the upstream. Of one part it
            // may be below zero: another part handed out what it took back.
            to.idle +=
                from.bytes_returned + from.bytes_new - from.bytes_handed_out - from.bytes_gone;
        }
        remote_ += part.remote_returns();
        held_ += upstream.bytes_taken.get() - upstream.bytes_given.get();
    }

    [[nodiscard]] buffer_cache_statistics total(const std::string& name) const {
        buffer_cache_statistics sum;
        sum.name = name;
        for (std::size_t i = 0; i != size_class::count; ++i) {
            buffer_class_statistics each = classes_[i];
            if (each.requests == 0 && each.bytes_handed_out == 0) continue;
            each.smallest = size_class::smallest(i);
            each.largest = i + 1 < size_class::count ? size_class::smallest(i + 1) - 1 : SIZE_MAX;
            each.idle = not_below_zero(each.idle);
            each.hits = not_below_zero(each.requests - each.misses);
            sum.requests += each.requests;
            sum.hits += each.hits;
            sum.misses += each.misses;
            sum.returns += each.returns;
            sum.drops += each.drops;
            sum.evictions += each.evictions;
            sum.bytes_asked += each.bytes_asked;
            sum.bytes_handed_out += each.bytes_handed_out;
            sum.idle += each.idle;
            sum.classes.push_back(each);
        }
        sum.remote_returns = remote_;
        sum.in_use_asked = not_below_zero(sum.bytes_asked - returned_);
        sum.in_use = not_below_zero(held_ - sum.idle);
        return sum;
    }

private:
    // Parts are read one after the other, so that a difference may come out before its time.
    [[nodiscard]] static std::uint64_t not_below_zero(std::uint64_t difference) noexcept {
        return static_cast<std::int64_t>(difference) < 0 ? 0 : difference;
    }

    std::vector<buffer_class_statistics> classes_ =
        std::vector<buffer_class_statistics>(size_class::count);
    std::uint64_t returned_ = 0;
    std::uint64_t remote_ = 0;
    std::uint64_t held_ = 0;
};

}  // namespace detail

// A text for people: a line for the whole, and one for each class of sizes.
inline std::ostream& operator<<(std::ostream& to, const buffer_cache_statistics& from) {
    const std::ios_base::fmtflags flags = to.flags();
    const std::streamsize precision = to.precision();
    to << std::fixed << std::setprecision(1) << from.name << ": " << from.requests << " requests, "
       << 100 * from.hit_rate() << " % hits, " << 100 * from.used() << " % used, " << from.idle
       << " bytes idle, " << from.in_use << " in use for " << from.in_use_asked << " asked for; "
       << from.returns << " returns (" << from.remote_returns << " on another thread), "
       << from.drops << " drops, " << from.evictions << " evictions\n";
    for (const char* const heading : {"from", "to", "requests", "hits", "asked for", "handed out",
                                      "returns", "drops", "evictions", "idle"}) {
        to << std::setw(12) << heading;
    }
    to << '\n';
    for (const buffer_class_statistics& each : from.classes) {
        for (const std::uint64_t number :
             {std::uint64_t{each.smallest}, std::uint64_t{each.largest}, each.requests, each.hits,
              each.bytes_asked, each.bytes_handed_out, each.returns, each.drops, each.evictions,
              each.idle}) {
            to << std::setw(12) << number;
        }
        to << '\n';
    }
    to.flags(flags);
    to.precision(precision);
    return to;
}

}  // namespace freehold::inline FREEHOLD_ABI
