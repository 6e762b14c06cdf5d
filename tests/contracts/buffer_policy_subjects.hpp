// SPDX-License-Identifier: BSL-1.0
// Every policy of a buffer_cache, as the subjects of the contracts.
#pragma once

#include <freehold/buffer/buffer_policies.hpp>

#include "reimplemented/pools.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Policy>
struct with_defaults {
    using policy = Policy;
    static typename Policy::options options() { return {}; }
};

struct largest_of_eight : with_defaults<keep_largest> {
    static keep_largest::options options() { return {8}; }
};

struct first_eight_below : with_defaults<keep_first_below> {
    static keep_first_below::options options() { return {5000, 8}; }
};

struct wide_linear_buckets : with_defaults<linear_buckets> {
    static linear_buckets::options options() { return {1000, 16, std::size_t{1} << 20}; }
};

struct fine_geometric_buckets : with_defaults<geometric_buckets> {
    static geometric_buckets::options options() { return {7, 3, 100'000}; }
};

struct tight_greedy_dual_fit : with_defaults<greedy_dual_fit> {
    static greedy_dual_fit::options options() {
        greedy_dual_fit::options options;
        options.band = 1;
        return options;
    }
};

struct dotnet_with_small_stacks : with_defaults<reimplemented::dotnet_array_pool> {
    static reimplemented::dotnet_array_pool::options options() {
        reimplemented::dotnet_array_pool::options options;
        options.processors = 3;
        options.stack_entries = 2;
        options.trim_interval = 1000;
        return options;
    }
};

struct often_swept_netty : with_defaults<reimplemented::netty> {
    static reimplemented::netty::options options() {
        reimplemented::netty::options options;
        options.small_entries = 4;
        options.largest = 1 << 20;
        options.requests_a_sweep = 10;
        return options;
    }
};

struct often_calibrated_bytebufferpool : with_defaults<reimplemented::bytebufferpool> {
    static reimplemented::bytebufferpool::options options() {
        reimplemented::bytebufferpool::options options;
        options.requests_a_calibration = 50;
        options.bytes_a_collection = 100'000;
        return options;
    }
};

struct small_jetty : with_defaults<reimplemented::jetty> {
    static reimplemented::jetty::options options() {
        reimplemented::jetty::options options;
        options.entries = 4;
        options.most_idle = 100'000;
        return options;
    }
};

struct often_looking_jemalloc_tcache : with_defaults<reimplemented::jemalloc_tcache> {
    static reimplemented::jemalloc_tcache::options options() {
        reimplemented::jemalloc_tcache::options options;
        options.small_entries_most = 10;
        options.large_entries = 1;
        options.bytes_between_looks = 500;
        return options;
    }
};

using every_buffer_policy =
    testing::Types<with_defaults<keep_largest>, largest_of_eight, with_defaults<keep_first_below>,
                   first_eight_below, with_defaults<linear_buckets>, wide_linear_buckets,
                   with_defaults<geometric_buckets>, fine_geometric_buckets,
                   with_defaults<power_of_two_buckets>, with_defaults<greedy_dual_fit>,
                   tight_greedy_dual_fit, with_defaults<reimplemented::dotnet_array_pool>,
                   dotnet_with_small_stacks, with_defaults<reimplemented::netty>, often_swept_netty,
                   with_defaults<reimplemented::bytebufferpool>, often_calibrated_bytebufferpool,
                   with_defaults<reimplemented::jetty>, small_jetty,
                   with_defaults<reimplemented::jemalloc_tcache>, often_looking_jemalloc_tcache>;

}  // namespace freehold::contracts
