// SPDX-License-Identifier: BSL-1.0
#include "runner/child_process.hpp"

#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lab {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t longest_line = std::size_t{1} << 20;

std::string text_of_status(int status) {
    if (WIFSIGNALED(status)) {
        return std::string("was ended by a signal (") + strsignal(WTERMSIG(status)) + ")";
    }
    if (WEXITSTATUS(status) == 0) return "ended too early";
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

child_process::child_process(const std::filesystem::path& executable,
                             const std::vector<std::string>& arguments,
                             std::chrono::milliseconds to_end, std::vector<std::string> environment)
    : name_("the process " + executable.filename().string()), to_end_(to_end) {
    std::array<int, 2> ends = {-1, -1};
    diagnostics_ = memfd_create("diagnostics of a process", MFD_CLOEXEC);
    if (diagnostics_ < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        fail(std::string("cannot be started: ") + std::strerror(errno));
    }
    socket_ = ends[0];
    const support::descriptor other_end(ends[1]);
    std::vector<std::string> command = {executable};
    command.insert(command.end(), arguments.begin(), arguments.end());
    try {
        id_ = support::start({.command = std::move(command),
                              .descriptors = {{ends[1], STDIN_FILENO},
                                              {ends[1], STDOUT_FILENO},
                                              {diagnostics_, STDERR_FILENO}},
                              .environment = std::move(environment)});
    } catch (const std::system_error& error) {
        fail("cannot be started: " + error.code().message());
    }
}

child_process::~child_process() {
    if (socket_ >= 0) {
        shutdown(socket_, SHUT_WR);
        ended_by_itself();
    }
    kill_and_wait();
}

std::optional<int> child_process::ended_by_itself() {
    const auto deadline = steady_clock::now() + to_end_;
    int status = 0;
    do {
        if (waitpid(id_, &status, WNOHANG) == id_) {
            id_ = -1;
            return status;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (steady_clock::now() < deadline);
    return std::nullopt;
}

void child_process::kill_and_wait() {
    if (socket_ >= 0) close(socket_);
    if (diagnostics_ >= 0) close(diagnostics_);
    socket_ = diagnostics_ = -1;
    if (id_ < 0) return;
    kill(id_, SIGKILL);
    while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
}

void child_process::fail(const std::string& what) {
    kill_and_wait();
    throw process_error(name_ + " " + what);
}

std::string child_process::last_words() const {
    std::array<char, 4096> buffer;
    const off_t size = lseek(diagnostics_, 0, SEEK_END);
    const off_t begin = size > off_t{buffer.size()} ? size - off_t{buffer.size()} : 0;
    const ssize_t got = pread(diagnostics_, buffer.data(), buffer.size(), begin);
    std::string text(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

void child_process::fail_with_its_end() {
    const auto status = ended_by_itself();
    const std::string what = status ? text_of_status(*status) : "closed its output";
    const std::string words = last_words();
    fail(words.empty() ? what : what + ": " + words);
}

void child_process::write_line(const std::string& line) {
    const std::string text = line + "\n";
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t n = send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail_with_its_end();
        sent += static_cast<std::size_t>(n);
    }
}

void child_process::wait_for_input(steady_clock::time_point deadline) {
    pollfd waiting = {socket_, POLLIN, 0};
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now())
                .count();
        if (left <= 0) fail("does not answer");
        const int ready = poll(&waiting, 1, static_cast<int>(left));
        if (ready > 0) return;
        if (ready < 0 && errno != EINTR) {
            fail(std::string("cannot be waited for: ") + std::strerror(errno));
        }
    }
}

std::string child_process::read_line(std::chrono::milliseconds patience) {
    const auto deadline = steady_clock::now() + patience;
    std::size_t end = 0;
    while ((end = pending_.find('\n')) == std::string::npos) {
        if (pending_.size() > longest_line) fail("prints a line without an end");
        wait_for_input(deadline);
        std::array<char, 4096> buffer;
        const ssize_t n = recv(socket_, buffer.data(), buffer.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail_with_its_end();
        pending_.append(buffer.data(), static_cast<std::size_t>(n));
    }
    const std::string line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    return line;
}

}  // namespace lab
