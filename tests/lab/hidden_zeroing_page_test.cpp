// SPDX-License-Identifier: BSL-1.0
// docs/hidden_zeroing.md says what the compilers here do; what it recommends zeroes nothing; and
// what memory shows, the code shows.
#include "lab/hidden_zeroing_page.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

using lab::verdict;

const lab::page_sources& sources() {
    static const lab::page_sources here = lab_tests::sources_of_page(FREEHOLD_HIDDEN_ZEROING);
    return here;
}

/// The list of compilers, which ends before the sentence behind it.
std::string built_with(const std::string& page) {
    const std::size_t begin = page.find("\n- ");
    return page.substr(begin, page.find("\n\n", begin) - begin);
}

class hidden_zeroing_page : public testing::Test {
protected:
    void SetUp() override {
        if (lab_tests::run_command("objdump", "--version >/dev/null 2>&1").status != 0)
            GTEST_SKIP() << "objdump is not installed";
    }
};

TEST_F(hidden_zeroing_page, says_what_the_compilers_here_do) {
    const std::string now = lab::hidden_zeroing_page(sources());
    const std::string page = lab_tests::read_text(FREEHOLD_HIDDEN_ZEROING_PAGE);
    if (built_with(now) == built_with(page)) {
        EXPECT_EQ(now, page) << "write it anew: scripts/hidden-zeroing";
        return;
    }
    // Other versions may use other means, and have or lack a part of the library.
    const std::map<std::string, verdict> on_the_page = lab::verdicts_on(page);
    std::size_t judged = 0;
    for (const auto& [what, is] : lab::verdicts_on(now)) {
        const auto there = on_the_page.find(what);
        if (there == on_the_page.end() || is == verdict::missing ||
            there->second == verdict::missing)
            continue;
        ++judged;
        EXPECT_EQ(is, there->second) << what << "; built with" << built_with(now);
    }
    EXPECT_GE(judged, 50u) << "the page was written for other compilers: scripts/hidden-zeroing";
}

TEST_F(hidden_zeroing_page, has_memory_and_code_agree) {
    // A part of the library that is not compiled here, and the kernel.
    const std::set<std::string> elsewhere = {"string_resized", "by_pages"};
    for (const lab::column& column : sources().columns) {
        for (const lab::judged_construct& one : column.constructs) {
            SCOPED_TRACE(column.compiler + ", " + column.library + ": " + one.code);
            EXPECT_EQ(one.other, 0u) << "something else was written";
            const bool by_code = !one.means.empty();
            EXPECT_TRUE(by_code == (one.is == verdict::zeroes) ||
                        (!by_code && elsewhere.contains(one.symbol)))
                << "by the code: '" << one.means << "'";
        }
    }
}

TEST_F(hidden_zeroing_page, recommends_nothing_of_the_library_that_zeroes) {
    std::size_t judged = 0;
    for (const lab::column& column : sources().columns) {
        for (const lab::judged_construct& one : column.constructs) {
            const bool ours = one.code.find("freehold::") != std::string::npos ||
                              one.code.find("default_init_allocator") != std::string::npos;
            if (one.group != "cures" || !ours) continue;
            ++judged;
            EXPECT_EQ(one.is, verdict::leaves)
                << column.compiler << ", " << column.library << ": " << one.code;
        }
    }
    EXPECT_GE(judged, 8u);
}

TEST_F(hidden_zeroing_page, names_a_cure_for_everything_that_zeroes) {
    std::size_t cured = 0;
    for (const lab::column& column : sources().columns) {
        for (const lab::judged_construct& one : column.constructs) {
            if (one.group != "objects" && one.group != "bytes") continue;
            if (one.is != verdict::zeroes || one.symbol == "by_pages") continue;
            SCOPED_TRACE(column.compiler + ", " + column.library + ": " + one.code);
            const lab::judged_construct& cure = column.at(one.remark);
            // Some compilers zero there after all; the page says so.
            const bool may_zero = cure.symbol == "string_overwritten";
            EXPECT_TRUE(cure.is != verdict::zeroes || may_zero) << "not cured by " << cure.code;
            ++cured;
        }
    }
    EXPECT_GE(cured, 15u);
}

TEST_F(hidden_zeroing_page, shows_that_fixes_bring_it_back) {
    if (sources().columns.front().clang_tidy.empty()) GTEST_SKIP() << "clang-tidy is not installed";
    std::size_t brought_back = 0;
    for (const lab::column& column : sources().columns) {
        for (const lab::judged_construct& one : column.constructs) {
            if (one.group != "lint") continue;
            if (one.symbol.ends_with("_as_written")) {
                EXPECT_EQ(one.is, verdict::leaves) << one.symbol;
            } else if (one.is == verdict::zeroes) {
                ++brought_back;
            }
        }
    }
    EXPECT_GE(brought_back, 2 * sources().columns.size());
}

}  // namespace
