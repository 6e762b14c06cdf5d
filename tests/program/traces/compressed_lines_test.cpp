// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/compressed_lines.hpp"

#include "program/temporary_folder.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::compressed_lines_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(compressed_lines& file) {
    std::vector<std::string> result;
    for (std::string_view line; file.next(line);) result.emplace_back(line);
    return result;
}

std::string many_lines() {
    std::string text;
    for (int i = 0; i != 200000; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
}

class compressed_lines_by : public testing::TestWithParam<const char*> {
protected:
    /// Empty if the command is not installed.
    std::filesystem::path compressed(const std::string& text) {
        const auto plain = folder.write("plain", text);
        const auto result = folder / "compressed";
        const std::string command = std::string(GetParam()) + " '" + plain.string() + "' > '" +
                                    result.string() + "' 2>/dev/null";
        return std::system(command.c_str()) == 0 ? result : std::filesystem::path();
    }

    static void is_not_installed() {
        const std::string command = GetParam();
        const std::string name = command.substr(0, command.find(' '));
        tests::skip_without(name, name + " is not installed");
    }

    temporary_folder folder;
};

INSTANTIATE_TEST_SUITE_P(commands, compressed_lines_by,
                         testing::Values("gzip -c", "zstd -qc", "cat"));

TEST_P(compressed_lines_by, delivers_each_line_and_how_far_it_is) {
    const auto path = compressed(many_lines());
    if (path.empty()) return is_not_installed();
    compressed_lines file(path);
    std::string_view line;
    std::size_t count = 0;
    for (; file.next(line); ++count) ASSERT_EQ(line, "line " + std::to_string(count));
    EXPECT_EQ(count, 200000U);
    EXPECT_FALSE(file.broken());
    EXPECT_EQ(file.progress(), 1);
}

TEST_P(compressed_lines_by, says_that_a_cut_file_is_broken_and_delivers_whole_lines_of_it) {
    const auto path = compressed(many_lines());
    if (path.empty()) return is_not_installed();
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2 + 1);
    compressed_lines file(path);
    const auto lines = lines_of(file);
    EXPECT_LT(lines.size(), 200000U);
    for (std::size_t i = 0; i != lines.size(); ++i)
        ASSERT_EQ(lines[i], "line " + std::to_string(i));
    EXPECT_TRUE(file.broken());
}

TEST_P(compressed_lines_by, may_be_given_up_in_the_middle) {
    const auto path = compressed(many_lines());
    if (path.empty()) return is_not_installed();
    compressed_lines file(path);
    std::string_view line;
    EXPECT_TRUE(file.next(line));
    EXPECT_EQ(line, "line 0");
}

TEST(compressed_lines_of, an_empty_file_there_are_none) {
    const temporary_folder folder;
    compressed_lines file(folder.write("empty", ""));
    EXPECT_THAT(lines_of(file), ElementsAre());
    EXPECT_FALSE(file.broken());
}

TEST(compressed_lines_of, what_cannot_be_opened_is_refused) {
    try {
        compressed_lines file("/no/such/file");
        FAIL();
    } catch (const unreadable_file& error) {
        EXPECT_THAT(error.what(), HasSubstr("No such file"));
    }
}

}  // namespace
}  // namespace freehold::compressed_lines_test
