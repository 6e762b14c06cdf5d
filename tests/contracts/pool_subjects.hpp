// SPDX-License-Identifier: BSL-1.0
// Pools of all kinds, as the subjects of the contract.
#pragma once

#include <freehold/memory/pool.hpp>

#include <cstddef>
#include <memory_resource>

#include <gtest/gtest.h>

namespace freehold::contracts {

struct packet_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 2048;
        asked.alignment = 64;
        asked.initial_capacity = 1500;
        asked.name = "packets";
        return asked;
    }
};

struct small_block_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 8;
        asked.alignment = 8;
        asked.magazine_size = 4;
        return asked;
    }
};

struct byte_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 1;
        asked.alignment = 1;
        asked.magazine_size = 1;
        return asked;
    }
};

struct odd_size_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 100;
        asked.alignment = 4;
        asked.growth = 7;
        asked.maximum_capacity = 500;
        return asked;
    }
};

struct page_aligned_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 300;
        asked.alignment = 4096;
        asked.growth = 1;
        asked.maximum_capacity = 64;
        return asked;
    }
};

struct single_block_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 40;
        asked.initial_capacity = 1;
        asked.maximum_capacity = 1;
        return asked;
    }
};

struct huge_page_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 1500;
        asked.huge = huge_pages::transparent;
        asked.prefault = true;
        asked.maximum_capacity = 2500;
        return asked;
    }
};

struct heap_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 192;
        asked.alignment = 128;
        asked.initial_capacity = 10;
        asked.upstream = std::pmr::new_delete_resource();
        return asked;
    }
};

struct checked_pool {
    static pool_options options() {
        pool_options asked;
        asked.block_size = 48;
        asked.maximum_capacity = 1000;
        asked.checked = true;
        asked.name = "checked";
        return asked;
    }
};

using pools_of_all_kinds =
    testing::Types<packet_pool, small_block_pool, byte_pool, odd_size_pool, page_aligned_pool,
                   single_block_pool, huge_page_pool, heap_pool, checked_pool>;

}  // namespace freehold::contracts
