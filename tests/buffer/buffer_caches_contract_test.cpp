// SPDX-License-Identifier: BSL-1.0
#include "contracts/buffer_caches.hpp"
#include "contracts/buffer_policy_subjects.hpp"

#include <string>

namespace freehold::contracts::buffer_caches_contract_test {
namespace {

INSTANTIATE_TEST_SUITE_P(
    cache, buffer_caches,
    testing::Values(
        buffer_cache_with<with_defaults<keep_largest>>("keep_largest"),
        buffer_cache_with<largest_of_eight>("largest_of_eight"),
        buffer_cache_with<with_defaults<keep_first_below>>("keep_first_below"),
        buffer_cache_with<first_eight_below>("first_eight_below"),
        buffer_cache_with<with_defaults<linear_buckets>>("linear_buckets"),
        buffer_cache_with<wide_linear_buckets>("wide_linear_buckets"),
        buffer_cache_with<with_defaults<geometric_buckets>>("geometric_buckets"),
        buffer_cache_with<fine_geometric_buckets>("fine_geometric_buckets"),
        buffer_cache_with<with_defaults<power_of_two_buckets>>("power_of_two_buckets"),
        buffer_cache_with<with_defaults<greedy_dual_fit>>("greedy_dual_fit"),
        buffer_cache_with<tight_greedy_dual_fit>("tight_greedy_dual_fit"),
        buffer_cache_with<with_defaults<reimplemented::dotnet_array_pool>>("dotnet_array_pool"),
        buffer_cache_with<dotnet_with_small_stacks>("dotnet_with_small_stacks"),
        buffer_cache_with<with_defaults<reimplemented::netty>>("netty"),
        buffer_cache_with<often_swept_netty>("often_swept_netty"),
        buffer_cache_with<with_defaults<reimplemented::bytebufferpool>>("bytebufferpool"),
        buffer_cache_with<often_calibrated_bytebufferpool>("often_calibrated_bytebufferpool"),
        buffer_cache_with<with_defaults<reimplemented::jetty>>("jetty"),
        buffer_cache_with<small_jetty>("small_jetty"),
        buffer_cache_with<with_defaults<reimplemented::jemalloc_tcache>>("jemalloc_tcache"),
        buffer_cache_with<often_looking_jemalloc_tcache>("often_looking_jemalloc_tcache")),
    [](const auto& subject) { return std::string(subject.param.name); });

}  // namespace
}  // namespace freehold::contracts::buffer_caches_contract_test
