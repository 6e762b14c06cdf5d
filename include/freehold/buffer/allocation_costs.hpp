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
#include <freehold/detail/compiled.hpp>

#include <cstddef>
#include <span>

namespace freehold::inline FREEHOLD_ABI {

// One measured point: what a request of a size costs the allocator.
struct allocation_cost {
    std::size_t size;    // bytes
    double nanoseconds;  // to allocate, touch and free that many bytes
};

class __attribute__((visibility("default"))) allocation_costs {
public:
    // Typical costs of glibc 2.36 on an x86-64 of 2023. They are the geometric mean of two
    // measurements. If all sizes are requested constantly, 1 KiB costs 45 ns and 1 MiB 1.5 us. If
    // large sizes are rare, as in most recorded programs, they cost 8 ns and 73 us. The mean loses
    // less than either measurement would in the other situation.
    allocation_costs() noexcept;

    // Interpolates between the points. Beyond the last point the cost per byte is constant.
    // `points` has at least one element, and is sorted by size; all values are positive.
    explicit allocation_costs(std::span<const allocation_cost> points) noexcept;

    // The same cost for all sizes, which maximises the hit rate.
    [[nodiscard]] static allocation_costs equal() noexcept;

    // The cost in nanoseconds of a request of this size class, or of this size.
    [[nodiscard]] double of_class(std::size_t index) const noexcept { return nanoseconds_[index]; }
    [[nodiscard]] double of(std::size_t size) const noexcept {
        return nanoseconds_[size_class::of(size)];
    }

private:
    double nanoseconds_[size_class::count];
};

}  // namespace freehold::inline FREEHOLD_ABI
