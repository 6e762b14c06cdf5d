// SPDX-License-Identifier: BSL-1.0
// What page_resource does when the system refuses: each system call in turn, for each reason.
#include <freehold/detail/platform/pages.hpp>
#include <freehold/memory/pages.hpp>

#include "memory/observed_system.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace freehold::page_resource_refused_test {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
const std::size_t page = detail::page_size();

class a_page_resource_refused : public testing::Test {
protected:
    ~a_page_resource_refused() override { tests::hooks = {}; }

    // What is mapped and not unmapped, reserved pages or not.
    void count_mapped_bytes() {
        tests::hooks.mmap = [this](std::size_t length, int&) {
            mapped_ += static_cast<std::ptrdiff_t>(length);
            return 0;
        };
        tests::hooks.munmap = [this](void*, std::size_t length) {
            mapped_ -= static_cast<std::ptrdiff_t>(length);
            return 0;
        };
    }
    static void refuse_advice(int refused, int error) {
        tests::hooks.madvise = [=](void*, std::size_t, int advice) {
            return advice == refused ? error : 0;
        };
    }

    std::ptrdiff_t mapped_ = 0;
};

TEST_F(a_page_resource_refused, a_mapping_throws) {
    tests::hooks.mmap = [](std::size_t, int&) { return ENOMEM; };
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource pages({.huge = huge});
        errno = 0;
        EXPECT_THROW(static_cast<void>(pages.allocate(4 * mib)), std::bad_alloc);
        EXPECT_EQ(errno, 0);
        EXPECT_EQ(pages.statistics().failures, 1U);
        EXPECT_EQ(pages.statistics().maps, 0U);
        EXPECT_EQ(pages.statistics().mapped_bytes, 0U);
    }
}

TEST_F(a_page_resource_refused, a_cut_throws_and_gives_all_back) {
    // A place where both ends are to be cut off: it begins neither at a multiple of the alignment
    // nor at the page behind, from where the mapping would end with the region.
    constexpr std::size_t alignment = 64 * mib;
    page_resource anywhere;
    void* const free_place = anywhere.allocate(2 * alignment, alignment);
    anywhere.deallocate(free_place, 2 * alignment, alignment);
    tests::hooks.place = static_cast<std::byte*>(free_place) + 2 * page;

    for (const int refused : {1, 2}) {
        mapped_ = 0;
        count_mapped_bytes();
        const auto counted = tests::hooks.munmap;
        int cuts = 0;
        tests::hooks.munmap = [&](void* place, std::size_t length) {
            return ++cuts == refused ? ENOMEM : counted(place, length);
        };
        page_resource pages;
        errno = 0;
        EXPECT_THROW(static_cast<void>(pages.allocate(page, alignment)), std::bad_alloc);
        EXPECT_EQ(errno, 0);
        EXPECT_EQ(cuts, refused + 1);
        EXPECT_EQ(mapped_, 0);
    }
}

TEST_F(a_page_resource_refused, reserved_pages_takes_transparent_ones) {
    count_mapped_bytes();
    const auto counted = tests::hooks.mmap;
    std::vector<int> asked;
    tests::hooks.mmap = [&](std::size_t length, int& flags) {
        asked.push_back(flags & MAP_HUGETLB);
        return (flags & MAP_HUGETLB) != 0 ? ENOMEM : counted(length, flags);
    };
    std::size_t advised = 0;
    tests::hooks.madvise = [&](void*, std::size_t length, int advice) {
        if (advice == MADV_HUGEPAGE) advised += length;
        return 0;
    };
    page_resource pages({.huge = huge_pages::reserved});
    void* const region = pages.allocate(3 * mib);
    EXPECT_EQ(asked, (std::vector<int>{MAP_HUGETLB, 0}));
    EXPECT_EQ(advised, 4 * mib);
    EXPECT_EQ(mapped_, 4 * mib);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region) % huge_page_size, 0U);
    EXPECT_EQ(pages.statistics().reserved_fallbacks, 1U);
    EXPECT_EQ(pages.statistics().reserved_maps, 0U);
    pages.deallocate(region, 3 * mib);
    EXPECT_EQ(mapped_, 0);
}

// The other way round: the system has them, and takes back nothing but whole ones.
TEST_F(a_page_resource_refused, nothing_maps_and_unmaps_whole_reserved_pages) {
    std::size_t advised = 0;
    tests::hooks.mmap = [this](std::size_t length, int& flags) {
        EXPECT_EQ(flags >> 26, 21) << "pages of 2 MiB, whatever the system's default is";
        EXPECT_EQ(length % huge_page_size, 0U);
        flags &= ~MAP_HUGETLB;
        mapped_ += static_cast<std::ptrdiff_t>(length);
        return 0;
    };
    tests::hooks.munmap = [this](void* place, std::size_t length) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % huge_page_size, 0U);
        EXPECT_EQ(length % huge_page_size, 0U);
        mapped_ -= static_cast<std::ptrdiff_t>(length);
        return 0;
    };
    tests::hooks.madvise = [&](void*, std::size_t, int advice) {
        advised += advice == MADV_HUGEPAGE;
        return 0;
    };
    page_resource pages({.huge = huge_pages::reserved});
    for (const std::size_t alignment : {std::size_t{64}, 2 * mib, 16 * mib}) {
        void* const region = pages.allocate(3 * mib, alignment);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region) % alignment, 0U);
        EXPECT_EQ(mapped_, 4 * mib);
        std::memset(region, 1, 3 * mib);
        pages.deallocate(region, 3 * mib, alignment);
        EXPECT_EQ(mapped_, 0);
    }
    EXPECT_EQ(pages.statistics().reserved_maps, 3U);
    EXPECT_EQ(pages.statistics().reserved_fallbacks, 0U);
    EXPECT_EQ(advised, 0U);
}

TEST_F(a_page_resource_refused, advice_gives_ordinary_pages_and_counts) {
    refuse_advice(MADV_HUGEPAGE, EINVAL);
    page_resource pages({.huge = huge_pages::transparent});
    void* const region = pages.allocate(2 * mib);
    std::memset(region, 1, 2 * mib);
    EXPECT_EQ(pages.statistics().advice_refused, 1U);
    pages.deallocate(region, 2 * mib);
}

TEST_F(a_page_resource_refused, memory_to_prefault_throws_and_unmaps) {
    for (const int error : {ENOMEM, EFAULT}) {
        count_mapped_bytes();
        refuse_advice(MADV_POPULATE_WRITE, error);
        page_resource pages({.prefault = true});
        errno = 0;
        EXPECT_THROW(static_cast<void>(pages.allocate(mib)), std::bad_alloc);
        EXPECT_EQ(errno, 0);
        EXPECT_EQ(mapped_, 0);
        EXPECT_EQ(pages.statistics().failures, 1U);
    }
}

TEST_F(a_page_resource_refused, to_be_asked_for_all_pages_touches_each) {
    refuse_advice(MADV_POPULATE_WRITE, EINVAL);
    page_resource pages({.prefault = true});
    void* const region = pages.allocate(mib + 1);
    std::vector<unsigned char> resident(mib / page + 1);
    ASSERT_EQ(::mincore(region, mib + 1, resident.data()), 0);
    for (const unsigned char is : resident) EXPECT_TRUE(is & 1);
    pages.deallocate(region, mib + 1);
}

TEST_F(a_page_resource_refused, to_keep_memory_from_children_throws_and_unmaps) {
    count_mapped_bytes();
    refuse_advice(MADV_DONTFORK, ENOMEM);
    page_resource pages({.in_children = false});
    EXPECT_THROW(static_cast<void>(pages.allocate(page)), std::bad_alloc);
    EXPECT_EQ(mapped_, 0);
}

TEST_F(a_page_resource_refused, the_end_of_a_mapping_gives_its_memory_back_and_counts) {
    page_resource pages({.huge = huge_pages::transparent});
    void* const region = pages.allocate(2 * mib);
    std::memset(region, 1, 2 * mib);
    tests::hooks.munmap = [](void*, std::size_t) { return ENOMEM; };
    errno = 0;
    pages.deallocate(region, 2 * mib);
    EXPECT_EQ(errno, 0);
    EXPECT_EQ(pages.statistics().stuck_bytes, 2 * mib + page);
    EXPECT_EQ(pages.statistics().mapped_bytes, 0U);
    std::vector<unsigned char> resident(2 * mib / page);
    ASSERT_EQ(::mincore(region, 2 * mib, resident.data()), 0);
    for (const unsigned char is : resident) EXPECT_FALSE(is & 1);
    tests::hooks = {};
    EXPECT_EQ(::munmap(region, 2 * mib + page), 0);
}

TEST_F(a_page_resource_refused, a_look_at_the_system_says_why) {
    tests::hooks.fopen = [](const char* path) {
        EXPECT_STREQ(path, "/proc/self/smaps");
        return EMFILE;
    };
    const page_resource pages;
    errno = 0;
    try {
        static_cast<void>(pages.huge_bytes(&pages, 1));
        FAIL() << "huge_bytes did not throw";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::too_many_files_open);
        EXPECT_NE(std::string(error.what()).find("/proc/self/smaps"), std::string::npos);
    }
    EXPECT_EQ(errno, 0);
}

TEST_F(a_page_resource_refused, a_decommit_says_that_nothing_was_given_back) {
    page_resource pages;
    void* const region = pages.allocate(page);
    std::memset(region, 1, page);
    refuse_advice(MADV_DONTNEED, EINVAL);
    errno = 0;
    EXPECT_EQ(pages.decommit(region, page), 0U);
    EXPECT_EQ(errno, 0);
    EXPECT_EQ(pages.statistics().decommitted_bytes, 0U);
    EXPECT_EQ(*static_cast<char*>(region), 1);
    pages.deallocate(region, page);
}

}  // namespace
}  // namespace freehold::page_resource_refused_test
