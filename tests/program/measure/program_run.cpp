// SPDX-License-Identifier: BSL-1.0
#include "program/measure/program_run.hpp"

#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {

program_run::program_run(const std::vector<std::string>& arguments, const variables& environment,
                         const std::filesystem::path& output) {
    std::vector<std::string> words = {FREEHOLD_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::string standard_output = output.empty() ? folder_ / "output" : output;
    const auto open_new = [](const std::string& path) {
        return support::descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    };
    const support::descriptor out = open_new(standard_output);
    const support::descriptor error = open_new(folder_ / "diagnostics");
    support::program_to_start program{
        .command = std::move(words),
        .descriptors = {{out.get(), STDOUT_FILENO}, {error.get(), STDERR_FILENO}}};
    for (const auto& [name, value] : environment) program.environment.push_back(name + "=" + value);
    id_ = support::start(program);
}

program_run::~program_run() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
}

void program_run::send(int signal) const {
    ::kill(id_, signal);
}

program_end program_run::wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "output"),
            text_of(folder_ / "diagnostics")};
}

program_end run_program(const std::vector<std::string>& arguments,
                        const program_run::variables& environment) {
    return program_run(arguments, environment).wait();
}

}  // namespace freehold
