// SPDX-License-Identifier: BSL-1.0
// Adds up the counters of all thread caches into buffer_cache_statistics.
#pragma once

#include <freehold/buffer/buffer_cache_statistics.hpp>
#include <freehold/buffer/detail/buffer_counters.hpp>
#include <freehold/buffer/size_class.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_statistics_sum {
public:
    void add(const buffer_counters& counters, std::uint64_t from_upstream) {
        for (std::size_t i = 0; i != size_class::count; ++i) {
            const buffer_counters::class_sums from = counters.of_class(i);
            buffer_class_statistics& to = classes_[i];
            to.requests += from.requests;
            to.bytes_asked += from.bytes_asked;
            to.bytes_handed_out += from.bytes_handed_out;
            to.returns += from.returns;
            to.misses += from.misses;
            to.drops += from.drops;
            to.evictions += from.evictions;
            returned_ += from.bytes_asked_returned;
            // Bytes that were returned, and neither handed out again nor given to the upstream. The
            // value of one thread cache may be negative, because another one may have handed the
            // bytes out.
            to.idle +=
                from.bytes_returned + from.bytes_new - from.bytes_handed_out - from.bytes_gone;
        }
        remote_ += counters.remote_returns();
        held_ += from_upstream;
    }

    [[nodiscard]] buffer_cache_statistics total(const std::string& name) const {
        buffer_cache_statistics sum;
        sum.name = name;
        for (std::size_t i = 0; i != size_class::count; ++i) {
            buffer_class_statistics each = classes_[i];
            if (each.requests == 0 && each.bytes_handed_out == 0) continue;
            each.smallest = size_class::smallest(i);
            each.largest = i + 1 < size_class::count ? size_class::smallest(i + 1) - 1 : SIZE_MAX;
            each.idle = clamp_to_zero(each.idle);
            each.hits = clamp_to_zero(each.requests - each.misses);
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
        sum.in_use_asked = clamp_to_zero(sum.bytes_asked - returned_);
        sum.in_use = clamp_to_zero(held_ - sum.idle);
        return sum;
    }

private:
    // The counters are read one after the other, so a difference may be negative for a moment.
    [[nodiscard]] static std::uint64_t clamp_to_zero(std::uint64_t difference) noexcept {
        return static_cast<std::int64_t>(difference) < 0 ? 0 : difference;
    }

    std::vector<buffer_class_statistics> classes_ =
        std::vector<buffer_class_statistics>(size_class::count);
    std::uint64_t returned_ = 0;
    std::uint64_t remote_ = 0;
    std::uint64_t held_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
