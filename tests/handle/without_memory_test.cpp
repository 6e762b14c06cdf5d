// SPDX-License-Identifier: BSL-1.0
#include <freehold/detail/sanitizers.hpp>

#include "contracts/owning_handle_without_memory.hpp"
#include "handle/strategies.hpp"
#include "skip.hpp"

#include <gtest/gtest.h>

namespace freehold::contracts::without_memory_test {

using all_strategies =
    testing::Types<simple_counted, simple_counted_atomic, special_counted, special_counted_atomic,
                   intrusive, intrusive_atomic, intrusive_by_functions, linked, shared_atomic,
                   shared_local, shared_biased, cyclic>;
INSTANTIATE_TYPED_TEST_SUITE_P(all_strategies, owning_handle_without_memory, all_strategies);

// Each new slab of the block cache is refused once: the pointee whose block it was to hold must go.
TEST(a_special_counted_ptr_without_memory, deletes_the_pointee_when_its_cache_cannot_grow) {
    if constexpr (detail::under_address_sanitizer) {
        return freehold::tests::does_not_apply(
            "under the address sanitizer nothing comes from the cache");
    }
    using pointee = animal<special_counted>;
    constexpr std::size_t many = 20'000;
    census::start();
    {
        std::vector<special_counted::handle<pointee>> owners;
        owners.reserve(many);
        owners.emplace_back(new pointee);
        int failures = 0;
        while (owners.size() < many) {
            pointee* const raw = new pointee;
            tests::fail_allocation(1);
            try {
                owners.emplace_back(raw);
            } catch (const std::bad_alloc&) {
                ++failures;
                tests::fail_allocation(0);
                owners.emplace_back(new pointee);
            }
            tests::fail_allocation(0);
            ASSERT_EQ(census::alive, static_cast<int>(owners.size()));
        }
        EXPECT_GE(failures, 5);
    }
    EXPECT_EQ(census::alive, 0);
}

}  // namespace freehold::contracts::without_memory_test
