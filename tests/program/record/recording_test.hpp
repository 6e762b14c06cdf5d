// SPDX-License-Identifier: BSL-1.0
// What tests share that record real programs; they are skipped where LTTng is not usable.
#pragma once

#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "program/traces/read_trace.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {

inline bool succeeds(const std::string& command) {
    return std::system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0;
}

class recording_test : public testing::Test {
protected:
    void SetUp() override {
        if (!FREEHOLD_READS_CTF)
            return tests::skip_without("babeltrace2", "built without libbabeltrace2");
        if (!succeeds("lttng --version && lttng-sessiond --version"))
            return tests::skip_without("lttng", "LTTng is not installed");
        if (!succeeds("LD_PRELOAD=liblttng-ust-libc-wrapper.so.1 env true"))
            return tests::skip_without("lttng", "LTTng's wrapper makes every program crash");
    }

    program_end record(const std::string& name, const std::vector<std::string>& command) {
        return run_program(arguments(name, command));
    }
    [[nodiscard]] std::vector<std::string> arguments(
        const std::string& name, const std::vector<std::string>& command) const {
        std::vector<std::string> all = {"record", "-o", (folder / name).string(), "--"};
        all.insert(all.end(), command.begin(), command.end());
        return all;
    }
    /// Records what must succeed, and reads it.
    whole_trace recorded(const std::string& name, const std::vector<std::string>& command) {
        const program_end end = record(name, command);
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        return read_trace(folder / name);
    }

    temporary_folder folder;
};

}  // namespace freehold
