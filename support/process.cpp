// SPDX-License-Identifier: BSL-1.0
#include "support/process.hpp"

#include "support/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace support {
namespace {

std::vector<std::string> environment_of(const program_to_start& what) {
    std::vector<std::string> result = what.environment;
    if (what.has_only_this_environment) return result;
    const auto is_replaced = [&](std::string_view entry) {
        const std::string_view name = entry.substr(0, entry.find('=') + 1);
        return std::any_of(what.environment.begin(), what.environment.end(),
                           [&](const std::string& each) { return each.rfind(name, 0) == 0; });
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

/// Returns a copy of `open` that is closed on exec and has the number `lowest` or a higher one.
/// Throws std::system_error.
descriptor copy_from(int lowest, int open) {
    descriptor copy(::fcntl(open, F_DUPFD_CLOEXEC, lowest));
    if (copy.get() < 0)
        throw std::system_error(errno, std::generic_category(), "no copy of a descriptor");
    return copy;
}

/// What the child needs of its parent. No descriptor here may have a number that the child's
/// descriptors get.
struct inheritance {
    const program_to_start& what;
    const std::vector<descriptor>& descriptors;
    char* const* arguments;
    char* const* environment;
    int failures;  // the child writes there why it could not become the program
};

/// Runs in the child, which shares the parent's memory. It allocates nothing and changes nothing
/// there.
[[noreturn]] void become(const inheritance& given, pid_t parent, const sigset_t& mask) {
    const program_to_start& what = given.what;
    if (what.in == program_to_start::group::own) ::setpgid(0, 0);
    if (what.in == program_to_start::group::own_session) ::setsid();
    if (what.ends_with_parent) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) ::_exit(127);
    }
    bool has_all = true;
    for (std::size_t i = 0; i != given.descriptors.size(); ++i)
        has_all = ::dup2(given.descriptors[i].get(), what.descriptors[i].second) >= 0 && has_all;
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    if (has_all) ::execvpe(given.arguments[0], given.arguments, given.environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(given.failures, &error, sizeof error);
    ::_exit(127);
}

/// Returns the child, or -1 with errno set. Not inlined: the child runs on the stack of the
/// function that calls vfork, so that function has no variables that are used afterwards.
[[gnu::noinline]] pid_t start_child(const inheritance& given) {
    const pid_t parent = ::getpid();
    // No signal handler of this process may run in the child, because the child shares its memory
    // until exec.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    // vfork does not copy the page tables, so the pages that a lab measures stay as they are.
    const pid_t child = ::vfork();
    if (child == 0) become(given, parent, given.what.mask ? *given.what.mask : before);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);  // does not change errno
    return child;
}

}  // namespace

pid_t start(const program_to_start& what) {
    const std::vector<std::string> environment = environment_of(what);
    const std::vector<char*> arguments = pointers(what.command);
    const std::vector<char*> variables = pointers(environment);
    pipe_ends failures;
    // No copy may replace a descriptor that the child still needs.
    int free_number = 0;
    for (const auto& [here, there] : what.descriptors)
        free_number = std::max(free_number, there + 1);
    std::vector<descriptor> descriptors;
    for (const auto& [here, there] : what.descriptors)
        descriptors.push_back(copy_from(free_number, here));
    failures.write = copy_from(free_number, failures.write.get());
    const pid_t child =
        start_child({what, descriptors, arguments.data(), variables.data(), failures.write.get()});
    int error = child < 0 ? errno : 0;
    failures.write.reset();

    if (error == 0) {
        const std::string bytes = read_all(failures.read.get());
        if (bytes.empty()) return child;
        std::memcpy(&error, bytes.data(), std::min(bytes.size(), sizeof error));
        wait_for(child);
    }
    throw std::system_error(error, std::generic_category(),
                            what.command.front() + ": cannot be run");
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    return status;
}

int exit_status_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int null_device() {
    static const int opened = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    return opened;
}

std::string finished_process::last_line() const {
    const std::size_t end = output.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const std::size_t before = output.find_last_of('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return output.substr(begin, end - begin + 1);
}

finished_process run(program_to_start what, bool with_errors) {
    pipe_ends output;
    what.descriptors.insert(what.descriptors.begin(), {null_device(), STDIN_FILENO});
    what.descriptors.emplace_back(output.write.get(), STDOUT_FILENO);
    if (with_errors) what.descriptors.emplace_back(output.write.get(), STDERR_FILENO);
    const pid_t child = start(what);
    output.write.reset();
    finished_process result;
    result.output = read_all(output.read.get());
    result.status = exit_status_of(wait_for(child));
    return result;
}

}  // namespace support
