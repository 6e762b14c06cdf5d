// SPDX-License-Identifier: BSL-1.0
// What the suite cold_scan is made of: its data, and what it makes of profiles.
#include "suites/cold_scan/columns.hpp"
#include "suites/cold_scan/profile.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace cold_scan_parts_test {
namespace {

using namespace lab::cold_scan;

std::vector<std::int64_t> row_group(std::uint64_t number, std::size_t rows) {
    std::vector<std::int64_t> values(2 * rows);
    fill_row_group(std::as_writable_bytes(std::span(values)), number);
    return values;
}

TEST(cold_scan_columns, the_sum_is_that_of_the_rows_below_the_limit) {
    constexpr std::size_t rows = 10'000;
    const auto values = row_group(3, rows);
    std::int64_t sum = 0;
    std::size_t below = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        ASSERT_GE(values[row], 0);
        ASSERT_LT(values[row], 100);
        ASSERT_GE(values[rows + row], 0);
        if (values[row] >= 30) continue;
        sum += values[rows + row];
        ++below;
    }
    EXPECT_EQ(sum_of_prices(std::as_bytes(std::span(values))), sum);
    EXPECT_NEAR(static_cast<double>(below) / rows, 0.3, 0.03);
}

TEST(cold_scan_columns, row_groups_are_the_same_every_time_and_differ_from_each_other) {
    EXPECT_EQ(row_group(7, 100), row_group(7, 100));
    EXPECT_NE(row_group(7, 100), row_group(8, 100));
}

std::string cause(const std::vector<std::string>& functions) {
    return causes[cause_of(functions)];
}

TEST(cold_scan_profile, a_sample_is_put_down_to_its_cause) {
    const std::string kernel = " ([kernel.kallsyms])";
    const std::string libc = " (/usr/lib/x86_64-linux-gnu/libc.so.6)";
    const std::string lab = " (/opt/lab/g++/freehold-lab)";
    EXPECT_EQ(cause({"__memset_avx512_unaligned_erms" + libc}), "zeroing_in_the_program");
    // The fault that a memset meets is not the memset.
    EXPECT_EQ(cause({"charge_memcg" + kernel, "exc_page_fault" + kernel,
                     "__memset_avx512_unaligned_erms" + libc}),
              "page_faults");
    EXPECT_EQ(
        cause({"clear_page_erms" + kernel, "clear_huge_page" + kernel,
               "asm_exc_page_fault" + kernel, "_copy_to_iter" + kernel, "tcp_recvmsg" + kernel}),
        "zeroing_by_the_kernel");
    EXPECT_EQ(cause({"zap_pte_range" + kernel, "__x64_sys_munmap" + kernel, "munmap" + libc}),
              "page_faults");
    EXPECT_EQ(cause({"rep_movs_alternative" + kernel, "tcp_recvmsg" + kernel, "recv" + libc}),
              "copying_from_the_kernel");
    EXPECT_EQ(cause({"tcp_rcv_established" + kernel, "tcp_recvmsg" + kernel, "recv" + libc}),
              "receiving");
    EXPECT_EQ(cause({"__memmove_avx512_unaligned_erms" + libc}), "copying_in_the_program");
    EXPECT_EQ(cause({"freehold::detail::streaming_copy" + lab}), "copying_in_the_program");
    EXPECT_EQ(cause({"lab::cold_scan::sum_of_prices" + lab}), "the_scan");
    EXPECT_EQ(cause({"Curl_sha256it" + lab}), "the_rest");
    EXPECT_EQ(cause({"schedule" + kernel, "futex_wait" + kernel}), "the_rest");
    EXPECT_EQ(cause({}), "the_rest");
}

}  // namespace
}  // namespace cold_scan_parts_test
