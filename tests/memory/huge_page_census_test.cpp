// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/detail/huge_page_census.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace freehold::detail::huge_page_census_test {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::uintptr_t start = 0x7f0000000000;

std::size_t count(std::string smaps, std::uintptr_t begin, std::uintptr_t end) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        ::fmemopen(smaps.data(), smaps.size(), "r"), &std::fclose);
    return huge_page_census(begin, end).count(file.get());
}

// Of 8 MiB, 6 are huge.
constexpr char anonymous[] = R"(7f0000000000-7f0000800000 rw-p 00000000 00:00 0 
Size:               8192 kB
KernelPageSize:        4 kB
Rss:                8192 kB
AnonHugePages:      6144 kB
ShmemPmdMapped:        0 kB
Private_Hugetlb:       0 kB
VmFlags: rd wr mr mw me ac hg
)";
constexpr char reserved[] =
    R"(7f0000800000-7f0000a00000 rw-p 00000000 00:0f 5    /anon_hugepage (deleted)
Size:               2048 kB
KernelPageSize:     2048 kB
AnonHugePages:         0 kB
Private_Hugetlb:    2048 kB
)";

TEST(huge_page_census, counts_advised_and_reserved_pages) {
    EXPECT_EQ(count(anonymous, start, start + 8 * mib), 6 * mib);
    EXPECT_EQ(count(reserved, start + 8 * mib, start + 10 * mib), 2 * mib);
    EXPECT_EQ(count(std::string(anonymous) + reserved, start, start + 10 * mib), 8 * mib);
}

TEST(huge_page_census, counts_nothing_of_other_mappings) {
    const std::string both = std::string(anonymous) + reserved;
    EXPECT_EQ(count(both, start + 8 * mib, start + 10 * mib), 2 * mib);
    EXPECT_EQ(count(both, start + 10 * mib, start + 20 * mib), 0U);
    EXPECT_EQ(count(both, start - mib, start), 0U);
    EXPECT_EQ(count("", start, start + mib), 0U);
}

TEST(huge_page_census, counts_of_a_mapping_that_reaches_further_what_must_be_inside) {
    // 2 MiB are outside, and all may be huge; then 4 MiB; then 6.
    EXPECT_EQ(count(anonymous, start, start + 6 * mib), 4 * mib);
    EXPECT_EQ(count(anonymous, start + 4 * mib, start + 8 * mib), 2 * mib);
    EXPECT_EQ(count(anonymous, start + 4 * mib, start + 6 * mib), 0U);
}

TEST(huge_page_census, does_not_take_the_rest_of_a_long_name_for_a_line) {
    // The census reads 511 characters at a time: the file's name goes on with what looks like a
    // mapping there.
    std::string line = "7f0000000000-7f0000800000 rw-p 00000000 00:00 0 ";
    line += std::string(511 - line.size(), 'x') + "0-1 ";
    std::string rest = anonymous;
    rest = rest.substr(rest.find('\n'));
    EXPECT_EQ(count(line + rest, start, start + 8 * mib), 6 * mib);
}

}  // namespace
}  // namespace freehold::detail::huge_page_census_test
