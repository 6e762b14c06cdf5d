// SPDX-License-Identifier: BSL-1.0
// What /proc says of a process, and why the kernel refuses to have it looked at.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace freehold {

std::filesystem::path folder_of_process(pid_t process);

/// Returns a field of /proc/PID/status, or an empty text.
std::string status_field(pid_t process, std::string_view name);

/// Returns the number of the process that traces this one, or an empty text.
std::string tracer_of(pid_t process);

/// Why ptrace may not be used, with the remedy.
std::string refusal(pid_t process);

}  // namespace freehold
