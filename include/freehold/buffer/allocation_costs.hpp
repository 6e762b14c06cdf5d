// SPDX-License-Identifier: BSL-1.0
// What it is: the nanoseconds that a hit saves, by size: what the allocator takes to allocate,
// touch and free a buffer. greedy_dual_fit weighs its buffers with them, because a buffer of 1 MiB
// costs hundreds of times as much as a small one.
// When to use it: with the costs that `freehold advise` measured for your program. The default is
// typical of glibc.
// When not: to maximise the hit rate whatever a hit saves. Use equal() for that.
// Example: `greedy_dual_fit::options{.costs = allocation_costs(measured)}`
//
// Units: bytes and nanoseconds.
// Complexity: the constructor is linear in the number of size classes; lookup is constant.
// Thread safety: as of any value. Several threads may read one object.
// Exceptions: none.
// Ownership: a value; it does not refer to the points that it was made from.
// Source: measured on glibc 2.36, and interpolated linearly between the logarithms.
#pragma once

#include <freehold/buffer/size_class.hpp>
#include <freehold/config.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace freehold::inline FREEHOLD_ABI {

// One measured point: what a request of a size costs the allocator.
struct allocation_cost {
    std::size_t size;    // bytes
    double nanoseconds;  // to allocate, touch and free that many bytes
};

class allocation_costs {
public:
    // Typical costs of glibc 2.36 on an x86-64 of 2023. They are the geometric mean of two
    // measurements. If all sizes are requested constantly, 1 KiB costs 45 ns and 1 MiB 1.5 us. If
    // large sizes are rare, as in most recorded programs, they cost 8 ns and 73 us. The mean loses
    // less than either measurement would in the other situation.
    allocation_costs() noexcept : allocation_costs(typical) {}

    // Interpolates between the points. Beyond the last point the cost per byte is constant.
    // `points` has at least one element, and is sorted by size; all values are positive.
    explicit allocation_costs(std::span<const allocation_cost> points) noexcept {
        for (std::size_t each = 0; each < size_class::count; ++each) {
            nanoseconds_[each] = interpolated(points, size_class::smallest(each));
        }
    }

    // The same cost for all sizes, which maximises the hit rate.
    [[nodiscard]] static allocation_costs equal() noexcept {
        allocation_costs costs;
        costs.nanoseconds_.fill(1);
        return costs;
    }

    // The cost in nanoseconds of a request of this size class, or of this size.
    [[nodiscard]] double of_class(std::size_t index) const noexcept { return nanoseconds_[index]; }
    [[nodiscard]] double of(std::size_t size) const noexcept {
        return nanoseconds_[size_class::of(size)];
    }

private:
    static constexpr std::array<allocation_cost, 8> typical{{
        {1024, 19},
        {2048, 54},
        {4096, 95},
        {std::size_t{16} << 10, 120},
        {std::size_t{64} << 10, 270},
        {std::size_t{256} << 10, 1500},
        {std::size_t{1} << 20, 10500},
        {std::size_t{4} << 20, 59000},
    }};

    [[nodiscard]] static double interpolated(std::span<const allocation_cost> points,
                                             std::size_t size) noexcept {
        if (size <= points.front().size) return points.front().nanoseconds;
        std::size_t next = 1;
        while (next < points.size() && points[next].size < size) ++next;
        const allocation_cost& below = points[next - 1];
        const double growth = static_cast<double>(size) / static_cast<double>(below.size);
        if (next == points.size()) return below.nanoseconds * growth;
        const allocation_cost& above = points[next];
        const double share = std::log(growth) / std::log(static_cast<double>(above.size) /
                                                         static_cast<double>(below.size));
        return below.nanoseconds * std::pow(above.nanoseconds / below.nanoseconds, share);
    }

    std::array<double, size_class::count> nanoseconds_;
};

}  // namespace freehold::inline FREEHOLD_ABI
