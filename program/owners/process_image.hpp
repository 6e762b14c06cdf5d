// SPDX-License-Identifier: BSL-1.0
// Reads the memory of a running process, or of a program that is about to end.
#pragma once

#include "owners/memory_image.hpp"
#include "support/signal_watch.hpp"

#include <string>
#include <vector>

namespace freehold {

/// Throws owners_error, with the remedy, if this is no process that can be looked at.
void require_process(pid_t process);

/// Reads what the process can write while it runs, and then all that changed since while all of its
/// threads are stopped. If this program is killed meanwhile, the kernel lets the process go on.
/// Throws owners_error.
memory_image image_of_process(pid_t process);

struct program_at_end {
    memory_image image;
    int status = 0;  // as support::exit_status_of gives it
};

/// Runs the program and reads its memory when it is about to end: after main, and after the
/// destructors of static objects. Throws owners_error.
program_at_end image_at_end(const std::vector<std::string>& command,
                            const support::signal_watch& signals);

}  // namespace freehold
