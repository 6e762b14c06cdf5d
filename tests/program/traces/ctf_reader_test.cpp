// SPDX-License-Identifier: BSL-1.0
#include "program/temporary_folder.hpp"
#include "program/traces/ctf_writer.hpp"
#include "program/traces/read_trace.hpp"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::ctf_reader_test {
namespace {

using testing::HasSubstr;

class ctf_reader_ : public testing::Test {
protected:
    ctf_reader_() { write_ctf_metadata(trace()); }

    [[nodiscard]] std::filesystem::path trace() const { return folder / "trace/ust/uid/0"; }
    void stream(const std::string& name, const std::vector<ctf_packet>& packets) {
        write_ctf_stream(trace() / name, packets);
    }
    [[nodiscard]] whole_trace read() const { return read_trace(folder / "trace"); }

    temporary_folder folder;
};

TEST_F(ctf_reader_, finds_the_trace_below_the_folder_and_reads_every_call) {
    stream("c_0", {ctf_packet()
                       .malloc(1000, 100, 0x10)
                       .calloc(1010, 3, 7, 0x20)
                       .other(1011)
                       .posix_memalign(1020, 64, 333, 0x40)
                       .free(1030, 0x10)});
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+100 +21 +333 -100");
    EXPECT_EQ(found.events[2].alignment, 64U);
    EXPECT_EQ(found.events[0].time, 0U);
    EXPECT_EQ(found.events[3].time, 30U);
    EXPECT_EQ(found.losses.events, 4U);
    EXPECT_TRUE(found.losses.warnings.empty());
    EXPECT_EQ(found.progress, 1);
}

TEST_F(ctf_reader_, makes_a_free_and_an_allocation_of_a_realloc) {
    stream("c_0", {ctf_packet()
                       .realloc(1, 0, 10, 0x10)
                       .realloc(2, 0x10, 20, 0x10)
                       .realloc(3, 0x10, std::uint64_t{1} << 60, 0)
                       .realloc(4, 0x10, 0, 0)});
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+10 -10 +20 -20");
    EXPECT_EQ(found.losses.failed, 1U);
    EXPECT_EQ(found.losses.unknown_frees, 0U);
}

TEST_F(ctf_reader_, leaves_out_what_failed) {
    stream("c_0",
           {ctf_packet().malloc(1, 8, 0x10).posix_memalign(2, 3, 8, 0xdead, 22).malloc(3, 9, 0)});
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+8");
    EXPECT_EQ(found.losses.failed, 2U);
    EXPECT_TRUE(found.warns_of("2 requests that the allocator refused"));
}

TEST_F(ctf_reader_, merges_streams_by_time_and_tells_threads_apart) {
    stream("c_0", {ctf_packet().thread(7, 7).malloc(1, 1, 0x10).malloc(5, 5, 0x50),
                   ctf_packet().thread(7, 7).free(9, 0x40)});
    stream("c_1", {ctf_packet().thread(7, 8).malloc(2, 2, 0x20).malloc(4, 4, 0x40).free(6, 0x10)});
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+1 +2 +4 +5 -1 -4");
    EXPECT_EQ(found.events[0].thread, 0U);
    EXPECT_EQ(found.events[1].thread, 1U);
    EXPECT_EQ(found.events[4].thread, 1U);
    EXPECT_EQ(found.events[5].thread, 0U);
    EXPECT_TRUE(found.losses.has_threads);
}

TEST_F(ctf_reader_, names_processes_and_begins_another_when_one_runs_another_program) {
    stream("c_0", {ctf_packet()
                       .thread(7, 7)
                       .procname(1, "sh")
                       .malloc(2, 2, 0x10)
                       .thread(9, 9)
                       .malloc(3, 3, 0x10)
                       .procname(4, "child")
                       .thread(7, 7)
                       .procname(5, "sort")
                       .malloc(6, 6, 0x20)});
    const whole_trace found = read();
    ASSERT_EQ(found.processes.size(), 3U);
    EXPECT_EQ(found.processes[0].name, "sh");
    EXPECT_EQ(found.processes[1].name, "child");
    EXPECT_EQ(found.processes[2].name, "sort");
    EXPECT_EQ(found.processes[2].id, 7U);
    EXPECT_EQ(found.sizes(), "+2 +3 +6");
    EXPECT_EQ(found.events[1].process, 1U);
    EXPECT_EQ(found.events[2].process, 2U);
}

TEST_F(ctf_reader_, counts_what_the_recorder_lost) {
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10), ctf_packet().malloc(9, 2, 0x20).discarded(42)});
    const whole_trace found = read();
    EXPECT_EQ(found.losses.lost_events, 42U);
    EXPECT_TRUE(found.warns_of("42 events missing"));
}

TEST_F(ctf_reader_, says_that_threads_were_not_recorded) {
    write_ctf_metadata(trace(), false);
    stream("c_0", {ctf_packet().without_context().malloc(1, 1, 0x10).free(2, 0x10)});
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+1 -1");
    EXPECT_FALSE(found.losses.has_threads);
    EXPECT_TRUE(found.warns_of("does not say which thread"));
}

TEST_F(ctf_reader_, uses_what_there_is_of_a_packet_that_was_cut_and_all_of_the_other_streams) {
    ctf_packet first;
    ctf_packet second;
    for (std::uint64_t i = 0; i != 50; ++i) first.malloc(10 + i, 1, 0x1000 + 16 * i);
    for (std::uint64_t i = 0; i != 50; ++i) second.malloc(100 + i, 2, 0x2000 + 16 * i);
    stream("c_0", {first, second});
    stream("c_1", {ctf_packet().malloc(5, 3, 0x10).malloc(500, 4, 0x20)});
    const auto size = std::filesystem::file_size(trace() / "c_0");
    std::filesystem::resize_file(trace() / "c_0", size - 10 * 34 - 5);

    const whole_trace found = read();
    EXPECT_TRUE(found.losses.truncated);
    EXPECT_TRUE(found.warns_of("truncated: the last 345 bytes of its file c_0"));
    // Each event of malloc is 34 bytes: the eleventh from the end is not whole.
    ASSERT_EQ(found.events.size(), 1 + 50 + 39 + 1U);
    EXPECT_EQ(found.events.front().size, 3U);
    EXPECT_EQ(found.events.back().size, 4U);
    for (std::size_t i = 1; i != found.events.size(); ++i)
        EXPECT_LE(found.events[i - 1].time, found.events[i].time);
}

TEST_F(ctf_reader_, uses_a_trace_whose_only_packet_was_cut) {
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10).malloc(2, 2, 0x20).free(3, 0x10)});
    std::filesystem::resize_file(trace() / "c_0", std::filesystem::file_size(trace() / "c_0") - 1);
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+1 +2");
    EXPECT_TRUE(found.losses.truncated);
}

TEST_F(ctf_reader_, uses_a_damaged_trace_up_to_the_damage) {
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10), ctf_packet().malloc(2, 2, 0x20)});
    std::fstream file(trace() / "c_0", std::ios::binary | std::ios::in | std::ios::out);
    const auto size = std::filesystem::file_size(trace() / "c_0");
    file.seekp(static_cast<std::streamoff>(size - 34));  // the second event's number
    file.write("\xff\xff", 2);
    file.close();
    const whole_trace found = read();
    EXPECT_EQ(found.sizes(), "+1");
    EXPECT_TRUE(found.losses.truncated);
    EXPECT_TRUE(found.warns_of("truncated: it breaks off after 1 event"));
}

TEST_F(ctf_reader_, refuses_in_one_line_what_is_no_trace_or_an_empty_one) {
    EXPECT_THAT(refusal_of(folder.write("other/text", "hello").parent_path()),
                HasSubstr("other: no trace lies in this folder"));
    EXPECT_THAT(refusal_of(folder / "trace"), HasSubstr("holds no allocation"));
    stream("c_0", {ctf_packet().other(1)});
    EXPECT_THAT(refusal_of(folder / "trace"), HasSubstr("holds no allocation"));
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10)});
    std::filesystem::resize_file(trace() / "c_0", 20);
    EXPECT_THAT(refusal_of(folder / "trace"), HasSubstr("truncated before its first allocation"));
}

TEST_F(ctf_reader_, refuses_metadata_that_are_cut_or_no_metadata) {
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10)});
    std::ofstream(trace() / "metadata") << "/* CTF 1.8 */ trace { major = ";
    EXPECT_THAT(refusal_of(folder / "trace"), HasSubstr("trace: "));

    // In packets, as LTTng writes them: one that says that it is longer than the file.
    std::string packet("\x57\x1d\xd1\x75", 4);
    packet += std::string(20, '\0') + std::string("\0\x80\0\0\0\x80\0\0", 8) + "/* CTF 1.8 */";
    std::ofstream(trace() / "metadata", std::ios::binary) << packet;
    EXPECT_THAT(refusal_of(folder / "trace"),
                HasSubstr("`metadata` is empty or ends in the middle"));

    // As a recorder leaves them that is ended before it writes them.
    std::ofstream(trace() / "metadata");
    EXPECT_THAT(refusal_of(folder / "trace"), HasSubstr("`metadata` is empty or ends"));
}

TEST_F(ctf_reader_, leaves_nothing_of_a_broken_trace_in_the_folder_for_temporary_files) {
    temporary_folder temporary;
    ASSERT_EQ(::setenv("TMPDIR", temporary.path().c_str(), 1), 0);
    stream("c_0", {ctf_packet().malloc(1, 1, 0x10).malloc(2, 2, 0x20)});
    std::filesystem::resize_file(trace() / "c_0", std::filesystem::file_size(trace() / "c_0") - 1);
    EXPECT_TRUE(read().losses.truncated);
    EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
    ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace freehold::ctf_reader_test
