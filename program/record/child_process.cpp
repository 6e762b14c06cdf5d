// SPDX-License-Identifier: BSL-1.0
#include "record/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

struct pipe_ends {
    int read = -1;
    int write = -1;
    pipe_ends() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw record_error(fmt::format("no pipe: {}", std::strerror(errno)));
        read = ends[0];
        write = ends[1];
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    ~pipe_ends() {
        close_write();
        ::close(read);
    }
    void close_write() {
        if (write >= 0) ::close(write);
        write = -1;
    }
};

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return text;
    }
}

/// This program's environment with `more` in place of what has the same names.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
    std::vector<std::string> result = more;
    const auto is_replaced = [&](std::string_view entry) {
        const std::string_view name = entry.substr(0, entry.find('=') + 1);
        for (const std::string& each : more)
            if (each.compare(0, name.size(), name) == 0) return true;
        return false;
    };
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!is_replaced(*entry)) result.emplace_back(*entry);
    return result;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const std::string& each : strings) result.push_back(const_cast<char*>(each.c_str()));
    result.push_back(nullptr);
    return result;
}

/// In the child: calls nothing that may allocate.
[[noreturn]] void become(const child_process& what, char* const* arguments,
                         char* const* environment, pid_t parent, int report) {
    if (what.apart) {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) ::_exit(127);
    }
    if (what.output >= 0) {
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(what.output, STDOUT_FILENO);
        ::dup2(what.output, STDERR_FILENO);
    }
    ::sigprocmask(SIG_SETMASK, &what.mask, nullptr);
    ::execvpe(arguments[0], arguments, environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
    ::_exit(127);
}

}  // namespace

pid_t start(const child_process& what) {
    const std::vector<std::string> environment = environment_with(what.environment);
    const std::vector<char*> arguments = pointers(what.command);
    const std::vector<char*> variables = pointers(environment);
    pipe_ends report;
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw record_error(fmt::format("no process: {}", std::strerror(errno)));
    if (child == 0) become(what, arguments.data(), variables.data(), parent, report.write);

    report.close_write();
    int error = 0;
    const std::string bytes = read_all(report.read);
    if (bytes.empty()) return child;
    std::memcpy(&error, bytes.data(), std::min(bytes.size(), sizeof error));
    wait_for(child);
    throw record_error(
        fmt::format("{}: cannot be run: {}", what.command.front(), std::strerror(error)));
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw record_error(fmt::format("waitpid: {}", std::strerror(errno)));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string finished_process::last_line() const {
    const std::size_t end = output.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const std::size_t begin = output.find_last_of('\n', end);
    return output.substr(begin == std::string::npos ? 0 : begin + 1,
                         end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

finished_process run(const child_process& what) {
    pipe_ends output;
    child_process quiet = what;
    quiet.apart = true;
    quiet.output = output.write;
    const pid_t child = start(quiet);
    output.close_write();
    finished_process result;
    result.output = read_all(output.read);
    result.status = wait_for(child);
    return result;
}

}  // namespace freehold
