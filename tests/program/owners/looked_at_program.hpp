// SPDX-License-Identifier: BSL-1.0
// Compiles the programs of cases/, and runs `freehold owners` over them: when they end, while they
// run, and over their cores.
#pragma once

#include "program/compiled_program.hpp"
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {

namespace fs = std::filesystem;
using nlohmann::json;

/// A program that prints what it did, and then waits for a line. The destructor ends it.
class waiting_program {
public:
    explicit waiting_program(const std::vector<std::string>& command) {
        support::pipe_ends input;
        support::pipe_ends output;
        id_ = support::start(
            {.command = command, .descriptors = {{input.read.get(), 0}, {output.write.get(), 1}}});
        input_ = std::move(input.write);
        output_ = std::move(output.read);
    }
    waiting_program(const waiting_program&) = delete;
    waiting_program& operator=(const waiting_program&) = delete;
    ~waiting_program() { finish(); }

    /// Returns what it prints until a line that is `last`, or until it ends.
    std::string read_until(const std::string& last) {
        std::string text;
        for (char c = 0; ::read(output_.get(), &c, 1) == 1;) {
            text += c;
            if (text.ends_with(last + "\n")) break;
        }
        return text;
    }
    /// Lets it go on. Returns its exit status.
    int finish() {
        if (id_ < 0) return status_;
        [[maybe_unused]] const auto told = ::write(input_.get(), "\n", 1);
        input_.reset();
        status_ = support::exit_status_of(support::wait_for(id_));
        id_ = -1;
        return status_;
    }
    [[nodiscard]] pid_t id() const { return id_; }

private:
    pid_t id_ = -1;
    int status_ = -1;
    support::descriptor input_;
    support::descriptor output_;
};

struct type_numbers {
    std::uint64_t alive = 0;
    std::uint64_t leaked = 0;
    std::uint64_t lost = 0;
    std::uint64_t owners = 0;
    std::uint64_t weak = 0;

    bool operator==(const type_numbers&) const = default;
    friend std::ostream& operator<<(std::ostream& to, const type_numbers& each) {
        return to << each.alive << " alive, " << each.leaked << " leaked, " << each.lost
                  << " lost, " << each.owners << " owners, " << each.weak << " weak";
    }
};
using numbers_by_type = std::map<std::string, type_numbers>;

class looked_at_program : public testing::Test {
protected:
    /// Whether the long form was asked for, by all compilers and levels of optimisation.
    static bool is_for_every_build() { return std::getenv("FREEHOLD_EVERY_BUILD") != nullptr; }

    void SetUp() override {
        constexpr const char* lacking = FREEHOLD_OWNERS_LACKS;
        if (*lacking != '\0') return tests::skip_without("owners", lacking);
        if (!may_trace()) return tests::skip_without("ptrace", "the kernel does not permit ptrace");
    }

    static fs::path compiled(const std::string& name, const std::vector<std::string>& flags,
                             const std::string& compiler = FREEHOLD_COMPILER,
                             const std::vector<std::string>& libraries = {}) {
        return compiled_once(compiler, flags, fs::path(FREEHOLD_OWNERS_CASES) / (name + ".cpp"),
                             libraries);
    }

    /// What `freehold owners` writes as JSON.
    json found_by(std::vector<std::string> arguments,
                  const std::vector<std::string>& program = {}) {
        arguments.insert(arguments.begin(), "owners");
        arguments.insert(arguments.end(), {"--json", json_file().string()});
        if (!program.empty()) arguments.emplace_back("--");
        arguments.insert(arguments.end(), program.begin(), program.end());
        end_ = run_program(arguments);
        EXPECT_EQ(end_.exit_status, 0) << end_.diagnostics;
        std::ifstream file(json_file());
        return json::parse(file, nullptr, false);
    }
    json found_at_end(const std::vector<std::string>& program) { return found_by({}, program); }
    json found_in(pid_t process) { return found_by({std::to_string(process)}); }
    json found_in_core_of(pid_t process) {
        const fs::path core = folder_.path() / "core";
        const support::finished_process written =
            support::run({.command = {"gcore", "-o", core.string(), std::to_string(process)}});
        EXPECT_EQ(written.status, 0) << written.output;
        return found_by({"--core", core.string() + "." + std::to_string(process)});
    }

    static numbers_by_type numbers_in(const json& found) {
        numbers_by_type result;
        for (const json& each : found.at("types"))
            result[each.at("type")] = {each.at("alive"), each.at("leaked"), each.at("lost"),
                                       each.at("owners"), each.at("weak")};
        return result;
    }

    /// What a program printed as `TYPE ALIVE LEAKED OWNERS WEAK`, until a line that is "end".
    static numbers_by_type truth_in(const std::string& output) {
        numbers_by_type result;
        std::istringstream lines(output);
        for (std::string type; lines >> type && type != "end";) {
            type_numbers& numbers = result[type];
            lines >> numbers.alive >> numbers.leaked >> numbers.owners >> numbers.weak;
        }
        return result;
    }

    /// Runs it with bad input. Returns what it complains of.
    static std::string complaint(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "owners");
        const program_end end = run_program(arguments);
        EXPECT_EQ(end.exit_status, 1) << end.output << end.diagnostics;
        return end.diagnostics;
    }

    fs::path json_file() { return folder_.path() / "owners.json"; }

    temporary_folder folder_;
    program_end end_;

private:
    static bool may_trace() {
        static const bool may = [] {
            return run_program({"owners", "--", "/bin/true"}).diagnostics.find("does not permit") ==
                   std::string::npos;
        }();
        return may;
    }
};

}  // namespace freehold
