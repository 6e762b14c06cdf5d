// SPDX-License-Identifier: BSL-1.0
// The system call membarrier(2), and what Windows has in its place. The command numbers are
// repeated here, because the kernel's headers may be older than the kernel.
#pragma once

#include <freehold/config.hpp>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(_WIN32)
#include <freehold/detail/platform/windows/kernel32.hpp>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

enum class membarrier_command {
    query = 0,
    private_expedited = 1 << 3,
    register_private_expedited = 1 << 4,
    private_expedited_rseq = 1 << 7,
    register_private_expedited_rseq = 1 << 8,
};

// Returns a negative number if it fails. On Linux, errno then holds the cause.
inline long membarrier(membarrier_command command) noexcept {
#if defined(__linux__) && defined(SYS_membarrier)
    return ::syscall(SYS_membarrier, static_cast<int>(command), 0, 0);
#elif defined(_WIN32)
    // FlushProcessWriteBuffers is private_expedited, and needs no registration.
    constexpr long known = static_cast<long>(membarrier_command::private_expedited) |
                           static_cast<long>(membarrier_command::register_private_expedited);
    if (command == membarrier_command::query) return known;
    if ((static_cast<long>(command) & known) == 0) return -1;
    if (command == membarrier_command::private_expedited) ::FlushProcessWriteBuffers();
    return 0;
#else
    static_cast<void>(command);
    return -1;
#endif
}

// Registers the process for `command`. Returns false if the system lacks the command or refuses.
// The call is fast while the process has one thread, and takes some milliseconds if it has several.
inline bool register_for_membarrier(membarrier_command command,
                                    membarrier_command registration) noexcept {
    const long commands = membarrier(membarrier_command::query);
    return commands >= 0 && (commands & static_cast<long>(command)) != 0 &&
           membarrier(registration) == 0;
}

// Executes the command, and registers the process again if necessary. The registration belongs to
// the process: a child made by fork() may have to repeat it. Returns whether the command succeeded.
inline bool membarrier_registered(membarrier_command command,
                                  membarrier_command registration) noexcept {
    return membarrier(command) == 0 || (membarrier(registration) == 0 && membarrier(command) == 0);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
