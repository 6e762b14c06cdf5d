// SPDX-License-Identifier: BSL-1.0
// Memory resources as the subjects of the contract: the library's, and std::pmr's, which show that
// the contract asks for no more than the standard does.
#pragma once

#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_resource.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory_resource>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <std::size_t BlockSize, std::size_t Alignment>
class subject_pool_resource {
public:
    [[nodiscard]] std::pmr::memory_resource& resource() { return resource_; }
    void expect_nothing_lent() const { expect_conserved(pool_, 0); }

private:
    static pool_options options(std::pmr::memory_resource* upstream) {
        pool_options asked;
        asked.block_size = BlockSize;
        asked.alignment = Alignment;
        asked.upstream = upstream;
        return asked;
    }

    observed_resource upstream_;  // checks by itself that all came back
    pool pool_{options(&upstream_)};
    pool_resource resource_{pool_};
};

class subject_pool_resource_over_pages {
public:
    [[nodiscard]] std::pmr::memory_resource& resource() { return resource_; }
    void expect_nothing_lent() const { expect_conserved(pool_, 0); }

private:
    static pool_options options() {
        pool_options asked;
        asked.block_size = 200;
        return asked;
    }

    pool pool_{options()};
    pool_resource resource_{pool_};
};

template <huge_pages Huge, bool Prefault>
class subject_page_resource {
public:
    [[nodiscard]] std::pmr::memory_resource& resource() { return pages_; }
    void expect_nothing_lent() const {
        EXPECT_EQ(pages_.statistics().mapped_bytes, 0U);
        EXPECT_EQ(pages_.statistics().maps, pages_.statistics().unmaps);
    }

private:
    static page_options options() {
        page_options asked;
        asked.huge = Huge;
        asked.prefault = Prefault;
        return asked;
    }

    page_resource pages_{options()};
};

// libstdc++'s pools, of version 12 at least, align a block of 70 bytes for 64 to 16 only, as their
// sizes are no multiples of every alignment that is smaller. Asked for powers of two, they do.
template <class Resource>
class subject_standard_pool : std::pmr::memory_resource {
public:
    [[nodiscard]] std::pmr::memory_resource& resource() { return *this; }
    void expect_nothing_lent() { resource_.release(); }

private:
    static std::size_t rounded(std::size_t bytes, std::size_t alignment) {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
        return bytes < most ? std::bit_ceil(std::max(bytes, alignment)) : bytes;
    }
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        return resource_.allocate(rounded(bytes, alignment), alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        resource_.deallocate(memory, rounded(bytes, alignment), alignment);
    }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    observed_resource upstream_;
    Resource resource_{&upstream_};
};

using shared_memory_resources =
    testing::Types<subject_pool_resource<64, 8>, subject_pool_resource<256, 256>,
                   subject_pool_resource_over_pages, subject_page_resource<huge_pages::never, true>,
                   subject_standard_pool<std::pmr::synchronized_pool_resource>>;

}  // namespace freehold::contracts
