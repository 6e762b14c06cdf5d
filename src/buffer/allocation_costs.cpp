// SPDX-License-Identifier: BSL-1.0
#include <freehold/buffer/allocation_costs.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace freehold::inline FREEHOLD_ABI {
namespace {

constexpr std::array<allocation_cost, 8> typical{{
    {1024, 19},
    {2048, 54},
    {4096, 95},
    {std::size_t{16} << 10, 120},
    {std::size_t{64} << 10, 270},
    {std::size_t{256} << 10, 1500},
    {std::size_t{1} << 20, 10500},
    {std::size_t{4} << 20, 59000},
}};

double interpolated(std::span<const allocation_cost> points, std::size_t size) noexcept {
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

}  // namespace

allocation_costs::allocation_costs() noexcept : allocation_costs(typical) {}

allocation_costs::allocation_costs(std::span<const allocation_cost> points) noexcept {
    for (std::size_t each = 0; each < size_class::count; ++each) {
        nanoseconds_[each] = interpolated(points, size_class::smallest(each));
    }
}

allocation_costs allocation_costs::equal() noexcept {
    allocation_costs costs;
    for (double& each : costs.nanoseconds_) each = 1;
    return costs;
}

}  // namespace freehold::inline FREEHOLD_ABI
