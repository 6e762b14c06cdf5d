// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/pages.hpp>

#include "skip.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::page_resource_test {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
const std::size_t page = detail::page_size();

std::byte* allocate(page_resource& pages, std::size_t bytes, std::size_t alignment = 1) {
    return static_cast<std::byte*>(pages.allocate(bytes, alignment));
}

bool is_all(const std::byte* begin, std::size_t bytes, std::byte value) {
    return std::all_of(begin, begin + bytes, [&](std::byte b) { return b == value; });
}

std::size_t resident_bytes(std::byte* begin, std::size_t bytes) {
    std::vector<unsigned char> resident((bytes + page - 1) / page);
    EXPECT_EQ(::mincore(begin, bytes, resident.data()), 0);
    return page * static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(),
                                                         [](unsigned char r) { return r & 1; }));
}

std::size_t address_space() {
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0;
    EXPECT_TRUE(statm >> pages);
    return pages * page;
}

// `always`, `madvise` or `never`; empty where the kernel has no huge pages.
std::string huge_page_setting() {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string words;
    std::getline(file, words);
    const std::size_t begin = words.find('[');
    return begin == std::string::npos ? "" : words.substr(begin + 1, words.find(']') - begin - 1);
}

TEST(page_resource, gives_writable_memory_full_of_zeros) {
    page_resource pages;
    for (const std::size_t bytes : {std::size_t{1}, page - 1, page, page + 1, 3 * mib}) {
        std::byte* const region = allocate(pages, bytes);
        EXPECT_TRUE(is_all(region, bytes, std::byte{0}));
        std::memset(region, 0x5a, bytes);
        pages.deallocate(region, bytes, 1);
    }
}

TEST(page_resource, gives_a_region_of_its_own_for_no_bytes_too) {
    page_resource pages;
    std::byte* const one = allocate(pages, 0);
    std::byte* const other = allocate(pages, 0);
    EXPECT_NE(one, other);
    EXPECT_EQ(pages.statistics().mapped_bytes, 2 * page);
    pages.deallocate(one, 0, 1);
    pages.deallocate(other, 0, 1);
}

TEST(page_resource, aligns_far_beyond_a_page) {
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource pages({.huge = huge});
        for (std::size_t alignment = 1; alignment <= 1024 * mib; alignment *= 4) {
            for (const std::size_t bytes : {page, 2 * mib + 1}) {
                std::byte* const region = allocate(pages, bytes, alignment);
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region) % alignment, 0U);
                region[0] = region[bytes - 1] = std::byte{1};
                pages.deallocate(region, bytes, alignment);
            }
        }
        EXPECT_EQ(pages.statistics().mapped_bytes, 0U);
    }
}

TEST(page_resource, leaves_no_addresses_taken) {
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource pages({.huge = huge});
        const std::size_t before = address_space();
        for (int i = 0; i < 100; ++i) {
            std::byte* const small = allocate(pages, 5 * page, 8 * mib);
            std::byte* const large = allocate(pages, 2 * mib + page, 8 * mib);
            pages.deallocate(small, 5 * page, 8 * mib);
            pages.deallocate(large, 2 * mib + page, 8 * mib);
        }
        EXPECT_LT(address_space(), before + 16 * mib);
        EXPECT_EQ(pages.statistics().stuck_bytes, 0U);
    }
}

TEST(page_resource, starts_regions_that_can_be_huge_where_a_huge_page_can_start) {
    for (const huge_pages huge : {huge_pages::transparent, huge_pages::reserved}) {
        page_resource pages({.huge = huge});
        for (const std::size_t bytes : {2 * mib, 2 * mib + 1, 9 * mib}) {
            std::byte* const first = allocate(pages, bytes, 64);
            std::byte* const second = allocate(pages, bytes, 64);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % huge_page_size, 0U);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % huge_page_size, 0U);
            pages.deallocate(first, bytes, 64);
            pages.deallocate(second, bytes, 64);
        }
    }
}

TEST(page_resource, tells_for_each_region_how_much_of_it_is_huge) {
    if (huge_page_setting() != "always" && huge_page_setting() != "madvise")
        return tests::skip_without("huge_pages", "this system gives no transparent huge pages");
    page_resource pages({.huge = huge_pages::transparent});
    constexpr std::size_t bytes = 16 * mib;
    std::byte* const untouched = allocate(pages, bytes);
    std::byte* const touched = allocate(pages, bytes);
    std::byte* const half = allocate(pages, bytes);
    std::memset(touched, 1, bytes);
    std::memset(half, 1, bytes / 2);
    // How many pages become huge is the system's choice, to which region they are counted is not.
    EXPECT_GT(pages.huge_bytes(touched, bytes), 0U);
    EXPECT_LE(pages.huge_bytes(half, bytes), bytes / 2);
    EXPECT_EQ(pages.huge_bytes(untouched, bytes), 0U);
    for (std::byte* region : {untouched, touched, half}) pages.deallocate(region, bytes, 1);
}

TEST(page_resource, gives_ordinary_pages_to_who_asks_for_no_others) {
    if (huge_page_setting() == "always")
        return tests::does_not_apply("this system gives huge pages to every mapping");
    page_resource pages;
    constexpr std::size_t bytes = 8 * mib;
    std::byte* const region = allocate(pages, bytes, huge_page_size);
    std::memset(region, 1, bytes);
    EXPECT_EQ(pages.huge_bytes(region, bytes), 0U);
    pages.deallocate(region, bytes, huge_page_size);
}

TEST(page_resource, counts_reserved_pages_that_it_got_and_did_not_get) {
    page_resource pages({.huge = huge_pages::reserved});
    constexpr std::size_t bytes = 2 * mib + 1;
    std::byte* const region = allocate(pages, bytes);
    std::memset(region, 1, bytes);
    const page_statistics now = pages.statistics();
    EXPECT_EQ(now.reserved_maps + now.reserved_fallbacks, 1U);
    EXPECT_EQ(now.mapped_bytes, 4 * mib);
    if (now.reserved_maps == 1) {
        EXPECT_EQ(pages.huge_bytes(region, 4 * mib), 4 * mib);
    }
    pages.deallocate(region, bytes, 1);
    // Too small for one: not even asked for.
    std::byte* const small = allocate(pages, page);
    EXPECT_EQ(pages.statistics().mapped_bytes, page);
    EXPECT_EQ(pages.statistics().reserved_fallbacks, now.reserved_fallbacks);
    pages.deallocate(small, page, 1);
}

TEST(page_resource, has_all_pages_at_once_if_asked) {
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource eager({.huge = huge, .prefault = true});
        page_resource lazy({.huge = huge});
        constexpr std::size_t bytes = 6 * mib;
        std::byte* const there = allocate(eager, bytes);
        std::byte* const not_there = allocate(lazy, bytes);
        EXPECT_EQ(resident_bytes(there, bytes), bytes);
        EXPECT_EQ(resident_bytes(not_there, bytes), 0U);
        EXPECT_TRUE(is_all(there, bytes, std::byte{0}));
        eager.deallocate(there, bytes, 1);
        lazy.deallocate(not_there, bytes, 1);
    }
}

TEST(page_resource, decommits_whole_pages_and_keeps_what_shares_a_page) {
    page_resource pages;
    const std::size_t bytes = 16 * page;
    std::byte* const region = allocate(pages, bytes);
    std::memset(region, 0x5a, bytes);
    EXPECT_EQ(pages.decommit(region + 1, 10 * page), 9 * page);
    EXPECT_EQ(resident_bytes(region, bytes), bytes - 9 * page);
    EXPECT_TRUE(is_all(region, page, std::byte{0x5a}));
    EXPECT_TRUE(is_all(region + page, 9 * page, std::byte{0}));
    EXPECT_TRUE(is_all(region + 10 * page, 6 * page, std::byte{0x5a}));
    std::memset(region, 1, bytes);
    EXPECT_EQ(pages.decommit(region + 1, page), 0U);
    EXPECT_EQ(pages.decommit(region, page - 1), 0U);
    EXPECT_EQ(pages.decommit(region, 0), 0U);
    EXPECT_TRUE(is_all(region, bytes, std::byte{1}));
    EXPECT_EQ(pages.statistics().decommitted_bytes, 9 * page);
    EXPECT_EQ(pages.statistics().mapped_bytes, bytes);
    pages.deallocate(region, bytes, 1);
}

TEST(page_resource, decommits_where_reserved_pages_were_asked_for_no_part_of_a_huge_one) {
    page_resource pages({.huge = huge_pages::reserved});
    constexpr std::size_t bytes = 6 * mib;
    std::byte* const region = allocate(pages, bytes);
    std::memset(region, 1, bytes);
    EXPECT_EQ(pages.decommit(region, 2 * mib - 1), 0U);
    EXPECT_TRUE(is_all(region, bytes, std::byte{1}));
    const std::size_t given_back = pages.decommit(region + 1, bytes - 1);
    EXPECT_TRUE(given_back == 4 * mib || given_back == 0U);  // zero: reserved pages, an old kernel
    EXPECT_TRUE(is_all(region, 2 * mib, std::byte{1}));
    pages.deallocate(region, bytes, 1);
}

TEST(page_resource, counts_what_it_did) {
    page_resource pages;
    std::byte* const one = allocate(pages, 1);
    std::byte* const two = allocate(pages, page + 1);
    EXPECT_EQ(pages.statistics().mapped_bytes, 3 * page);
    pages.deallocate(one, 1, 1);
    EXPECT_THROW(allocate(pages, std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    const page_statistics now = pages.statistics();
    EXPECT_EQ(now.mapped_bytes, 2 * page);
    EXPECT_EQ(now.most_mapped_bytes, 3 * page);
    EXPECT_EQ(now.maps, 2U);
    EXPECT_EQ(now.unmaps, 1U);
    EXPECT_EQ(now.failures, 1U);
    EXPECT_EQ(now.advice_refused, 0U);
    pages.deallocate(two, page + 1, 1);
}

TEST(page_resource, throws_for_sizes_and_alignments_that_cannot_be) {
    constexpr std::size_t top_bit = std::size_t{1} << 63;
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource pages({.huge = huge});
        std::size_t asked = 0;
        for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{0} - page, top_bit,
                                        top_bit / 2, top_bit / 4, top_bit / 8}) {
            EXPECT_THROW(allocate(pages, bytes), std::bad_alloc) << bytes;
            ++asked;
        }
        volatile std::size_t not_a_power = 3;
        for (const std::size_t alignment :
             {std::size_t{0}, not_a_power + 0, top_bit, top_bit / 2, top_bit / 4, top_bit / 8}) {
            EXPECT_THROW(allocate(pages, page, alignment), std::bad_alloc) << alignment;
            EXPECT_THROW(allocate(pages, 4 * mib, alignment), std::bad_alloc) << alignment;
            asked += 2;
        }
        EXPECT_EQ(pages.statistics().failures, asked);
        EXPECT_EQ(pages.statistics().mapped_bytes, 0U);
    }
}

TEST(page_resource, leaves_errno_as_it_was) {
    page_resource pages({.huge = huge_pages::reserved, .prefault = true});
    constexpr int mine = 12345;
    errno = mine;
    std::byte* const region = allocate(pages, 2 * mib);
    EXPECT_EQ(errno, mine);
    static_cast<void>(pages.huge_bytes(region, 2 * mib));
    EXPECT_EQ(errno, mine);
    static_cast<void>(pages.decommit(region, 2 * mib));
    EXPECT_EQ(errno, mine);
    pages.deallocate(region, 2 * mib, 1);
    EXPECT_EQ(errno, mine);
    EXPECT_THROW(allocate(pages, std::size_t{1} << 60), std::bad_alloc);
    EXPECT_EQ(errno, mine);
}

TEST(page_resource, equals_only_itself) {
    page_resource one;
    page_resource other;
    EXPECT_TRUE(one == one);
    EXPECT_FALSE(one == other);
    EXPECT_FALSE(one == *std::pmr::new_delete_resource());
}

TEST(page_resource, serves_the_standard_containers) {
    page_resource pages;
    {
        std::pmr::monotonic_buffer_resource buffer(&pages);
        std::pmr::vector<std::pmr::string> strings(&buffer);
        for (int i = 0; i < 10'000; ++i)
            strings.emplace_back("a string that is too long to be short " + std::to_string(i));
        EXPECT_EQ(strings[9'999], "a string that is too long to be short 9999");
        EXPECT_GT(pages.statistics().mapped_bytes, 10'000U * 40);
    }
    EXPECT_EQ(pages.statistics().mapped_bytes, 0U);
}

// What the child says by its exit status.
template <class Question>
bool yes_of_a_child(Question question) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(question() ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(page_resource, is_in_a_child_unless_told_otherwise) {
    for (const huge_pages huge :
         {huge_pages::never, huge_pages::transparent, huge_pages::reserved}) {
        page_resource shared({.huge = huge});
        page_resource kept({.huge = huge, .in_children = false});
        constexpr std::size_t bytes = 2 * mib;
        std::byte* const in_both = allocate(shared, bytes);
        std::byte* const in_parent = allocate(kept, bytes);
        std::memset(in_both, 1, bytes);
        std::memset(in_parent, 1, bytes);
        EXPECT_TRUE(yes_of_a_child([&] { return is_all(in_both, bytes, std::byte{1}); }));
        EXPECT_TRUE(yes_of_a_child([&] {
            std::vector<unsigned char> resident(bytes / page);
            return ::mincore(in_parent, bytes, resident.data()) == -1 && errno == ENOMEM;
        }));
        EXPECT_TRUE(yes_of_a_child([&] {
            std::byte* const of_its_own = allocate(kept, bytes);
            kept.deallocate(of_its_own, bytes, 1);
            return true;
        }));
        EXPECT_TRUE(is_all(in_parent, bytes, std::byte{1}));
        shared.deallocate(in_both, bytes, 1);
        kept.deallocate(in_parent, bytes, 1);
    }
}

TEST(page_resource, serves_several_threads_at_once) {
    page_resource pages({.huge = huge_pages::transparent});
    constexpr std::size_t rounds = 200;
    const auto work = [&](std::byte mark) {
        for (std::size_t i = 0; i < rounds; ++i) {
            const std::size_t bytes = i % 20 == 0 ? 2 * mib : (1 + i % 4) * page;
            std::byte* const region = allocate(pages, bytes);
            EXPECT_EQ(region[bytes - 1], std::byte{0});
            std::memset(region, static_cast<int>(mark), page);
            EXPECT_TRUE(is_all(region, page, mark));
            pages.deallocate(region, bytes, 1);
        }
    };
    std::vector<std::thread> threads;
    for (int i = 1; i <= 4; ++i) threads.emplace_back(work, static_cast<std::byte>(i));
    for (std::thread& thread : threads) thread.join();
    const page_statistics now = pages.statistics();
    EXPECT_EQ(now.maps, 4 * rounds);
    EXPECT_EQ(now.unmaps, 4 * rounds);
    EXPECT_EQ(now.mapped_bytes, 0U);
    EXPECT_GE(now.most_mapped_bytes, 2 * mib);
    EXPECT_LE(now.most_mapped_bytes, 8 * mib);
}

}  // namespace
}  // namespace freehold::page_resource_test
