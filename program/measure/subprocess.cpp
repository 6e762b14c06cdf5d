// SPDX-License-Identifier: BSL-1.0
#include "measure/subprocess.hpp"

#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr int tick_milliseconds = 200;

/// A child in a process group of its own. So the processes that it starts are killed with it, and a
/// Ctrl-C in the terminal does not reach it directly.
class child {
public:
    explicit child(const support::program_to_start& program) try : id_(support::start(program)) {
    } catch (const std::system_error& error) {
        throw subprocess_error(error.what());
    }
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child() {
        if (!status_) kill_and_wait();
    }

    void kill_and_wait() {
        ::kill(-id_, SIGKILL);
        status_ = support::wait_for(id_);
    }
    /// After the child has ended, kills the processes that it left behind. The system cannot reuse
    /// the number of its group before this process has waited for the child.
    bool ended() {
        siginfo_t information{};
        ::waitid(P_PID, static_cast<id_t>(id_), &information, WEXITED | WNOHANG | WNOWAIT);
        if (information.si_pid != id_) return false;
        kill_and_wait();
        return true;
    }
    [[nodiscard]] int status() const { return *status_; }

private:
    pid_t id_;
    std::optional<int> status_;
};

class line_splitter {
public:
    template <class Reader>
    void add(std::string_view text, const Reader& read_line) {
        pending_ += text;
        std::size_t begin = 0;
        for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos;) {
            read_line(std::string_view(pending_).substr(begin, end - begin));
            begin = end + 1;
        }
        pending_.erase(0, begin);
        if (pending_.size() > longest_line) throw subprocess_error("prints a line without an end");
    }
    template <class Reader>
    void finish(const Reader& read_line) {
        if (!pending_.empty()) read_line(std::string_view(pending_));
        pending_.clear();
    }

private:
    std::string pending_;
};

/// Reads at most one buffer, so that a child that prints without end does not block the caller.
/// Closes `from` at its end. Returns false if there is nothing more to read now.
template <class Reader>
bool read_some(support::descriptor& from, line_splitter& lines, const Reader& read_line) {
    if (from.get() < 0) return false;
    std::array<char, 16384> buffer;
    const ssize_t size = ::read(from.get(), buffer.data(), buffer.size());
    if (size > 0)
        lines.add(std::string_view(buffer.data(), static_cast<std::size_t>(size)), read_line);
    else if (size == 0)
        from.reset();
    return size > 0;
}

void set_end(subprocess_end& end, int status) {
    if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
}

}  // namespace

std::string subprocess_end::description() const {
    std::string text = exit_status
                           ? fmt::format("exit status {}", *exit_status)
                           : fmt::format("killed by signal {} ({})", signal, strsignal(signal));
    if (!last_diagnostic.empty()) text += ": " + last_diagnostic;
    return text;
}

subprocess_end run_subprocess(const subprocess& what, const interrupts& interrupts) {
    using clock = std::chrono::steady_clock;
    const auto began = clock::now();
    support::pipe_ends output;
    support::pipe_ends diagnostics;
    for (const support::pipe_ends* each : {&output, &diagnostics})
        ::fcntl(each->read.get(), F_SETFL, O_NONBLOCK);
    child running({.command = what.command,
                   .descriptors = {{support::null_device(), STDIN_FILENO},
                                   {output.write.get(), STDOUT_FILENO},
                                   {diagnostics.write.get(), STDERR_FILENO}},
                   .in = support::program_to_start::group::own,
                   .mask = interrupts.mask_before()});
    output.write.reset();
    diagnostics.write.reset();

    subprocess_end end;
    const auto keep_last = [&](std::string_view line) {
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) end.last_diagnostic = line;
    };
    line_splitter lines;
    line_splitter diagnostic_lines;
    for (bool ended = false; !ended;) {
        std::array<pollfd, 3> waits = {{{interrupts.descriptor(), POLLIN, 0},
                                        {output.read.get(), POLLIN, 0},
                                        {diagnostics.read.get(), POLLIN, 0}}};
        const bool silent = output.read.get() < 0 && diagnostics.read.get() < 0;
        ::poll(waits.data(), waits.size(), silent ? 5 : tick_milliseconds);
        if (waits[0].revents != 0) {
            running.kill_and_wait();
            end.interrupted = true;
            return end;
        }
        // The order matters: if the child has ended here, the reads below get everything that it
        // printed.
        ended = running.ended();
        while (read_some(diagnostics.read, diagnostic_lines, keep_last) && ended) {
        }
        while (read_some(output.read, lines, what.read_line) && ended) {
        }
        if (what.time_limit && clock::now() - began > *what.time_limit)
            throw subprocess_error(
                fmt::format("takes longer than {} s", what.time_limit->count() / 1000));
        what.tick();
    }
    diagnostic_lines.finish(keep_last);
    lines.finish(what.read_line);
    set_end(end, running.status());
    return end;
}

}  // namespace freehold
