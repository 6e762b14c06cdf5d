// SPDX-License-Identifier: BSL-1.0
#include "program/measure/program_run.hpp"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {

program_run::program_run(const std::vector<std::string>& arguments, const variables& environment,
                         const std::filesystem::path& output) {
    std::vector<std::string> words = {FREEHOLD_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string standard_output = output.empty() ? folder_ / "output" : output;
    const std::string standard_error = folder_ / "diagnostics";

    id_ = ::fork();
    if (id_ != 0) return;
    const int out = ::open(standard_output.c_str(), O_WRONLY | O_CREAT, 0600);
    const int error = ::open(standard_error.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
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
