// SPDX-License-Identifier: BSL-1.0
// `freehold handles --sample` as a user runs it. Skipped where the kernel refuses to sample.
#include "counted_program.hpp"

#include <cerrno>
#include <cstring>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace freehold::sampled_handles_test {
namespace {

using testing::HasSubstr;

class sampled_handles : public counted_program {
protected:
    void SetUp() override {
        counted_program::SetUp();
        perf_event_attr event{};
        event.size = sizeof event;
        event.type = PERF_TYPE_SOFTWARE;
        event.config = PERF_COUNT_SW_CPU_CLOCK;
        event.exclude_kernel = 1;
        const support::descriptor opened(
            static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, 0)));
        if (opened.get() < 0) return tests::skip_without("perf_events", std::strerror(errno));
    }

    json sampled(const std::vector<std::string>& program) {
        std::vector<std::string> command = {"handles", "--sample", "--json", json_file().string(),
                                            "--"};
        command.insert(command.end(), program.begin(), program.end());
        const program_end end = run_program(command);
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        diagnostics_ = end.diagnostics;
        json result = counted_before();
        EXPECT_EQ(result.at("mode"), "sample");
        return result;
    }

    /// Of all samples.
    static double share_of(const json& result, const std::string& pointee) {
        double samples = 0;
        for (const json& each : result.at("lines"))
            if (each.at("pointee") == pointee) samples += each.at("samples").get<double>();
        return samples / result.at("sampled").at("samples").get<double>();
    }
};

TEST_F(sampled_handles, have_the_share_of_their_type_and_line) {
    for (const char* level : levels()) {
        SCOPED_TRACE(level);
        const json result = sampled({compiled("contended", {level, "-g"}).string()});
        EXPECT_GT(share_of(result, "contended"), 0.4);
        EXPECT_LT(share_of(result, "rare"), 0.1);
        EXPECT_EQ(result.at("lines").at(0).at("function"), "main::<lambda>::operator()");
        EXPECT_FALSE(result.at("sampled").at("event").get<std::string>().empty());
        EXPECT_TRUE(result.at("advice").empty());
        EXPECT_THAT(diagnostics_, HasSubstr("sampled"));
    }
}

TEST_F(sampled_handles, are_none_where_the_user_adds_to_numbers) {
    const json result = sampled({compiled("contended", {"-O2", "-g"}).string(), "numbers"});
    EXPECT_TRUE(result.at("lines").empty());
    EXPECT_GT(result.at("sampled").at("samples"), 0);
}

TEST_F(sampled_handles, of_children_are_found) {
    const std::string program = compiled("contended", {"-O2", "-g"}).string();
    const json result = sampled({"sh", "-c", "\"$1\"; exit 3", "sh", program});
    EXPECT_GT(share_of(result, "contended"), 0.4);
    EXPECT_EQ(result.at("exit_status"), 3);
}

TEST_F(sampled_handles, are_shown_on_a_page_and_cannot_be_compared) {
    const fs::path page = folder_.path() / "handles.html";
    const std::string file = json_file().string();
    const program_end shown =
        run_program({"handles", "--sample", "-o", page.string(), "--json", file, "--",
                     compiled("contended", {"-O2", "-g"}).string()});
    EXPECT_EQ(shown.exit_status, 0) << shown.diagnostics;
    EXPECT_THAT(text_of(page), HasSubstr("values += by_value(first)"));

    const program_end end = run_program({"compare", file, file});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("--sample"));
}

TEST_F(sampled_handles, are_refused_with_a_remedy_where_the_kernel_refuses) {
    const std::string without = compiled("without_events", {"-O2"}).string();
    const support::finished_process end =
        support::run({.command = {without, FREEHOLD_PROGRAM, "handles", "--sample", "--", "true"}});
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.output, HasSubstr("perf_event_paranoid"));
}

TEST_F(sampled_handles, are_not_counted_at_the_same_time) {
    EXPECT_NE(run_program({"handles", "--sample", "--plain-run", "--", "true"}).exit_status, 0);
}

}  // namespace
}  // namespace freehold::sampled_handles_test
