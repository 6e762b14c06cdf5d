// SPDX-License-Identifier: BSL-1.0
#include "owners/process_status.hpp"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {

std::filesystem::path folder_of_process(pid_t process) {
    return std::filesystem::path("/proc") / std::to_string(process);
}

std::string status_field(pid_t process, std::string_view name) {
    std::ifstream status(folder_of_process(process) / "status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':')
            continue;
        const std::size_t begin = line.find_first_not_of(" \t", name.size() + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

std::string tracer_of(pid_t process) {
    std::string result = status_field(process, "TracerPid");
    if (result == "0") result.clear();
    return result;
}

std::string refusal(pid_t process) {
    const std::string tracer = tracer_of(process);
    if (!tracer.empty())
        return fmt::format("{}: process {} traces it already, as a debugger does; end that first",
                           process, tracer);
    // The first number is the owner of the process. This message comes before that about Yama,
    // whose remedy does not help for the process of another user.
    const std::string users = status_field(process, "Uid");
    if (::geteuid() != 0 && !users.empty() &&
        users.substr(0, users.find('\t')) != std::to_string(::geteuid()))
        return fmt::format("{}: is another user's process; run freehold as that user, or as root",
                           process);
    std::string scope;
    std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
    if (!scope.empty() && scope != "0")
        return fmt::format(
            "{}: the kernel does not permit looking at it (ptrace_scope is {}); run `sudo sysctl "
            "kernel.yama.ptrace_scope=0`, or run freehold as root, or start the program by "
            "`freehold owners -- PROGRAM`",
            process, scope);
    return fmt::format(
        "{}: the kernel does not permit looking at it; run freehold as the user whose process it "
        "is, or as root, in a container with the capability SYS_PTRACE",
        process);
}

}  // namespace freehold
