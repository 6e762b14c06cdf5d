// SPDX-License-Identifier: BSL-1.0
#include "program/temporary_folder.hpp"
#include "program/traces/read_trace.hpp"
#include "skip.hpp"
#include "support/programs.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::heaptrack_reader_test {
namespace {

using testing::HasSubstr;

constexpr const char* raw =
    "v 10400 3\n"
    "x 5 /a/ls\n"
    "X ls -l\n"
    "t 7f05e9bc1b9f 0\n"
    "+ 64 1 55707e10b1d0\n"
    "c a\n"
    "+ 30d40 2 7f05e8d8e010\n"
    "- 55707e10b1d0\n"
    "+ 18 1 55707e10b1d0\n"
    "R 3c8\n";

constexpr const char* interpreted =
    "v 10400 3\n"
    "X ls -l\n"
    "s 5 /a/ls\n"
    "a 64 1\n"
    "a 18 2\n"
    "+ 0\n"
    "+ 0\n"
    "+ 1\n"
    "c 14\n"
    "- 0\n"
    "- 0\n";

TEST(heaptrack_reader, reads_raw_files) {
    const temporary_folder folder;
    const whole_trace trace = read_trace(folder.write("raw", raw));
    EXPECT_EQ(trace.sizes(), "+100 +200000 -100 +24");
    EXPECT_EQ(trace.events[0].block, trace.events[2].block);
    EXPECT_EQ(trace.events[0].time, 0U);
    EXPECT_EQ(trace.events[3].time, 10'000'000U);
    ASSERT_EQ(trace.processes.size(), 1U);
    EXPECT_EQ(trace.processes[0].name, "ls -l");
    EXPECT_EQ(trace.losses.events, 4U);
}

TEST(heaptrack_reader, reads_interpreted_files_and_takes_the_youngest_of_a_kind_to_be_freed) {
    const temporary_folder folder;
    const whole_trace trace = read_trace(folder.write("interpreted", interpreted));
    EXPECT_EQ(trace.sizes(), "+100 +100 +24 -100 -100");
    EXPECT_EQ(trace.events[3].block, trace.events[1].block);
    EXPECT_EQ(trace.events[4].block, trace.events[0].block);
}

TEST(heaptrack_reader, says_what_the_format_cannot_tell) {
    const temporary_folder folder;
    const whole_trace trace = read_trace(folder.write("raw", raw));
    EXPECT_FALSE(trace.losses.has_threads);
    EXPECT_EQ(trace.losses.time_resolution, 10'000'000U);
    EXPECT_TRUE(trace.warns_of("records no threads"));
    EXPECT_TRUE(trace.warns_of("every 10 ms"));
    EXPECT_FALSE(trace.losses.truncated);
}

TEST(heaptrack_reader, counts_frees_of_unknown_blocks) {
    const temporary_folder folder;
    const whole_trace trace = read_trace(folder.write("raw", std::string(raw) + "- dead0\n"));
    EXPECT_EQ(trace.losses.unknown_frees, 1U);
    EXPECT_TRUE(trace.warns_of("1 free of blocks whose allocation is not in the trace"));
}

TEST(heaptrack_reader, uses_a_cut_file_as_far_as_it_goes) {
    const temporary_folder folder;
    const std::string text = raw;
    const whole_trace trace =
        read_trace(folder.write("raw", text.substr(0, text.find("- 5570") + 8)));
    EXPECT_EQ(trace.sizes(), "+100 +200000");
    EXPECT_TRUE(trace.losses.truncated);
    EXPECT_TRUE(trace.warns_of("truncated"));
}

TEST(heaptrack_reader, refuses_what_is_not_heaptracks_in_one_line) {
    const temporary_folder folder;
    EXPECT_THAT(refusal_of(folder.write("text", "hello\nworld\n")),
                HasSubstr("text: neither a folder that `freehold record` made nor"));
    EXPECT_THAT(refusal_of(folder.write("empty", "")), HasSubstr("empty: is empty"));
    EXPECT_THAT(refusal_of(folder.write("old", "v 10100 2\n+ 1 2 3\n")),
                testing::AllOf(HasSubstr("version 2"), HasSubstr("version 3")));
    EXPECT_THAT(refusal_of(folder.write("none", "v 10400 3\nX ls\n")),
                HasSubstr("holds no allocation"));
    EXPECT_THAT(refusal_of(folder.write("broken", "v 10400 3\n+ 64 1 55\n+ zz\n")), "");
    EXPECT_THROW(read_trace(folder / "broken"), unreadable_trace);
    EXPECT_THAT(refusal_of(folder / "absent"), HasSubstr("there is no such file or folder"));
}

TEST(heaptrack_reader, reads_what_heaptrack_writes_of_a_real_program_the_same_in_both_forms) {
    // heaptrack is a script that calls `which`.
    for (const char* const name : {"heaptrack", "which"})
        if (!support::find_program(name))
            return tests::skip_without("heaptrack", std::string(name) + " is not installed");
    const temporary_folder folder;
    const auto input = folder.write("input", "two\none\nthree\n");
    const auto record = [&](const std::string& option, const std::string& name) {
        const std::string command = "cd '" + folder.path().string() + "' && heaptrack " + option +
                                    " -o " + name + " sed s/o/0/ '" + input.string() +
                                    "' >/dev/null 2>&1";
        EXPECT_EQ(std::system(command.c_str()), 0);
        for (const char* end : {".zst", ".gz", ".raw.zst", ".raw.gz"})
            if (std::filesystem::exists(folder / (name + end))) return folder / (name + end);
        return folder / name;
    };
    const auto raw_file = record("--raw", "one");
    if (refusal_of(raw_file).find("of heaptrack's of version") != std::string::npos)
        return tests::skip_without("heaptrack", "this heaptrack writes another version");
    const whole_trace raw_form = read_trace(raw_file);
    const whole_trace other_form = read_trace(record("", "two"));
    EXPECT_GE(raw_form.events.size(), 10U);  // fewer in the C locale
    EXPECT_EQ(raw_form.sizes(), other_form.sizes());
    EXPECT_FALSE(raw_form.losses.truncated);
    EXPECT_FALSE(other_form.losses.truncated);
}

}  // namespace
}  // namespace freehold::heaptrack_reader_test
