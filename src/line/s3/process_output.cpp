// SPDX-License-Identifier: BSL-1.0
#include "line/s3/process_output.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// POSIX has no header for it.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 10;
constexpr int poll_interval = 50;  // milliseconds between two looks at `stop`

std::string reason(int error) {
    return std::generic_category().message(error);
}

// Starts the command as the first of a process group of its own. Returns an error number.
int start(const std::string& command, int output, pid_t& process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawnattr_setpgroup(&attributes, 0);
    // Not the signals that this thread blocks.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    const std::array<char*, 4> words{shell.data(), option.data(), text.data(), nullptr};
    const int error =
        ::posix_spawn(&process, "/bin/sh", &files, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

class pipe_end {
public:
    explicit pipe_end(int number) noexcept : number_(number) {}
    pipe_end(const pipe_end&) = delete;
    pipe_end& operator=(const pipe_end&) = delete;
    ~pipe_end() { close(); }
    void close() noexcept {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

// Kills a process that has not ended, with its group.
class child {
public:
    explicit child(pid_t process) noexcept : process_(process) {}
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child() {
        if (has_ended_) return;
        ::kill(-process_, SIGKILL);
        wait(0);
    }
    // Returns whether it has ended.
    bool wait(int options) noexcept {
        if (has_ended_) return true;
        pid_t ended = 0;
        do {
            ended = ::waitpid(process_, &status_, options);
        } while (ended < 0 && errno == EINTR);
        // If the program has taken the status away, it is unknown, and counts as success.
        if (ended < 0) status_ = 0;
        has_ended_ = ended != 0;
        return has_ended_;
    }
    [[nodiscard]] int status() const noexcept { return status_; }

private:
    const pid_t process_;
    int status_ = 0;
    bool has_ended_ = false;
};

bool open_pipe(std::array<int, 2>& ends) noexcept {
#if defined(__APPLE__)
    if (::pipe(ends.data()) != 0) return false;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    return true;
#else
    return ::pipe2(ends.data(), O_CLOEXEC) == 0;
#endif
}

}  // namespace

process_outcome output_of(const std::string& command, std::chrono::milliseconds longest,
                          const std::atomic<bool>& stop) {
    std::array<int, 2> ends{-1, -1};
    if (!open_pipe(ends)) return {"", "no pipe: " + reason(errno)};
    const pipe_end from(ends[0]);
    pipe_end to(ends[1]);
    pid_t number = 0;
    if (const int error = start(command, to.number(), number); error != 0) {
        return {"", "/bin/sh cannot be started: " + reason(error)};
    }
    child process(number);
    to.close();

    process_outcome outcome;
    const auto end = std::chrono::steady_clock::now() + longest;
    std::array<char, 4096> piece;
    for (;;) {
        // relaxed: the flag guards no data.
        if (stop.load(std::memory_order_relaxed)) return {"", "stopped"};
        if (std::chrono::steady_clock::now() >= end) {
            return {"", "it took longer than " + std::to_string(longest.count()) + " ms"};
        }
        pollfd one{from.number(), POLLIN, 0};
        if (::poll(&one, 1, poll_interval) <= 0) {
            // What it has started may keep the pipe open.
            if (process.wait(WNOHANG)) break;
            continue;
        }
        const ssize_t got = ::read(from.number(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        outcome.output.append(piece.data(), static_cast<std::size_t>(got));
        if (outcome.output.size() > most_bytes) return {"", "it wrote more than 64 KiB"};
    }
    // It may go on after it has closed its output.
    while (!process.wait(WNOHANG)) {
        // relaxed: as above.
        if (stop.load(std::memory_order_relaxed)) return {"", "stopped"};
        if (std::chrono::steady_clock::now() >= end) {
            return {"", "it took longer than " + std::to_string(longest.count()) + " ms"};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const int status = process.status();
    if (WIFSIGNALED(status)) {
        outcome.failure = "it was ended by signal " + std::to_string(WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        outcome.failure = "it ended with status " + std::to_string(WEXITSTATUS(status));
    }
    return outcome;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
