// SPDX-License-Identifier: BSL-1.0
// No way of the library's to make a packet writes to its bytes, unless its type says so: seen in
// memory, and read from the code. For each compiler that a lab is built with, and each standard
// library that it finds.
#include "probes/made_packets.hpp"

#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "skip.hpp"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace made_packets_test {
namespace {

using namespace lab_tests;

bool has(const std::string& name, const std::string& part) {
    return name.find(part) != std::string::npos;
}

/// The library's own, and the standard library's over its pool.
bool is_of_freehold(const std::string& way) {
    return has(way, "freehold::") || has(way, "(pool");
}

/// By the rules of the language and of the standard library.
bool has_to_zero(const lab::made_packet& made) {
    if (made.way == "freehold::pool" || made.test == "zeroing_probe") return false;
    if (made.test == "zeroing_probe.zeroed") return true;
    // Without a constructor `T()` zeroes and `T` does not. These make a `T()`; the others are
    // written with `T` in the lab.
    return (has(made.way, "make_shared") || has(made.way, "allocate_")) &&
           !has(made.way, "_for_overwrite");
}

class packets_of_a_lab : public testing::TestWithParam<std::tuple<built_lab, const char*>> {
protected:
    std::filesystem::path probe(const std::string& suffix) const {
        const auto& [lab, name] = GetParam();
        return std::filesystem::path(lab.path).parent_path() / "probes" / (name + suffix);
    }
};

TEST_P(packets_of_a_lab, are_zeroed_where_their_type_says_so_and_nowhere_else) {
    if (has(probe("").string(), "libc++") && !std::filesystem::exists(probe("")))
        return freehold::tests::skip_without("libcxx", "libc++ is not installed");
    const outcome printed = run_command(probe(""), "");
    ASSERT_EQ(printed.status, 0);
    const outcome code = run_command("objdump", "-drw '" + probe(".o").string() + "'");
    if (code.status != 0)
        return freehold::tests::skip_without("objdump", "objdump is not installed");
    const lab::disassembly disassembled(code.output);

    std::size_t judged = 0;
    std::size_t found = 0;
    for (const lab::made_packet& made : lab::read_made_packets(printed.output)) {
        if (!made.missing.empty()) continue;
        SCOPED_TRACE(made.way + ", " + made.test);
        const auto zeroed_by = lab::what_zeroes(made, disassembled);
        const bool zeroed = made.zero > 0;
        EXPECT_EQ(zeroed, !zeroed_by.empty()) << "memory and code disagree";
        if (!is_of_freehold(made.way)) continue;
        ++judged;
        found += zeroed_by.size();
        EXPECT_EQ(made.other, 0);
        EXPECT_EQ(made.zero, has_to_zero(made) ? 2048 : 0)
            << (zeroed_by.empty() ? ""
                                  : "by " + zeroed_by[0].means + " in " + zeroed_by[0].function);
    }
    EXPECT_GE(judged, 27U);
    EXPECT_GE(found, 10U) << "what has to be zeroed was not found either";
}

std::string name_of_probe(
    const testing::TestParamInfo<std::tuple<built_lab, const char*>>& tested) {
    const auto& [lab, name] = tested.param;
    return std::regex_replace(std::string(lab.name) + (has(name, "libc++") ? "_libcxx" : ""),
                              std::regex("\\+\\+"), "xx");
}

INSTANTIATE_TEST_SUITE_P(each_lab, packets_of_a_lab,
                         testing::Combine(testing::ValuesIn(built_labs),
                                          testing::Values("makings", "makings-libc++")),
                         name_of_probe);

}  // namespace
}  // namespace made_packets_test
