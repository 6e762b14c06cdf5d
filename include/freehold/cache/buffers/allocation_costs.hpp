// SPDX-License-Identifier: BSL-1.0
// What a hit saves: the nanoseconds that the allocator takes for a buffer and its free, the page
// faults of its first use included. A buffer of some MiB costs hundreds of times what a small one
// does, so a policy that values all hits alike may keep the wrong ones.
#pragma once

#include <freehold/cache/buffers/size_class.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace freehold::inline FREEHOLD_ABI {

struct allocation_cost {
    std::size_t size;    // bytes
    double nanoseconds;  // for allocating, touching and freeing so many
};

class allocation_costs {
public:
    // For glibc 2.36 on an x86-64 of 2023, between what it takes where all sizes are asked for all
    // the time, 45 ns up to 1 KiB and 1.5 us for 1 MiB, and where large ones are rare, as in most
    // programs that were recorded, 8 ns and 73 us: the mean of the logarithms, which costs either
    // less than the other's prices would. `freehold advise` measures those of a program.
    allocation_costs() noexcept : allocation_costs(typical) {}

    // The logarithm between two of the points is interpolated, beyond the last the cost for each
    // byte is the same. At least one point, by rising size, all above zero.
    explicit allocation_costs(std::span<const allocation_cost> points) noexcept {
        for (std::size_t each = 0; each < size_class::count; ++each) {
            nanoseconds_[each] = interpolated(points, size_class::smallest(each));
        }
    }

    // Values all hits alike: what is best for the hit rate.
    [[nodiscard]] static allocation_costs equal() noexcept {
        allocation_costs costs;
        costs.nanoseconds_.fill(1);
        return costs;
    }

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

    std::array<double, size_class::count> nanoseconds_{};
};

}  // namespace freehold::inline FREEHOLD_ABI
