// SPDX-License-Identifier: BSL-1.0
#include "owners/process_image.hpp"

#include "owners/memory_reader.hpp"
#include "owners/process_status.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include <elf.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

std::optional<thread_registers> registers_of(pid_t thread) {
    thread_registers result;
    result.id = thread;
    iovec place{result.values.data(), sizeof result.values};
    if (::ptrace(PTRACE_GETREGSET, thread, reinterpret_cast<void*>(NT_PRSTATUS), &place) != 0 ||
        place.iov_len != sizeof result.values)
        return std::nullopt;
    return result;
}

/// All threads of a process, which are stopped while this object exists.
class stopped_threads {
public:
    explicit stopped_threads(pid_t process) {
        // A thread that is not stopped yet may start others.
        for (bool found_new = true; found_new;) {
            found_new = false;
            std::error_code none;
            for (const auto& each :
                 fs::directory_iterator(folder_of_process(process) / "task", none)) {
                const pid_t thread = std::stoi(each.path().filename().string());
                if (!known_.insert(thread).second) continue;
                found_new = true;
                stop(process, thread);
            }
        }
        if (threads_.empty())
            throw owners_error(fmt::format("{}: ended before it could be looked at", process));
    }
    stopped_threads(const stopped_threads&) = delete;
    stopped_threads& operator=(const stopped_threads&) = delete;
    ~stopped_threads() { release(); }

    [[nodiscard]] std::vector<thread_registers> registers() const {
        std::vector<thread_registers> result;
        for (const auto& [thread, signal] : threads_)
            if (auto found = registers_of(thread)) result.push_back(*found);
        return result;
    }

private:
    void stop(pid_t process, pid_t thread) {
        if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) {
            if (errno == ESRCH) return;
            release();
            throw owners_error(refusal(process));
        }
        ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
        int status = 0;
        pid_t waited = 0;
        do waited = ::waitpid(thread, &status, __WALL);
        while (waited < 0 && errno == EINTR);
        if (waited != thread || !WIFSTOPPED(status)) return;
        const bool is_event = (status >> 16) != 0;
        threads_.emplace_back(thread, is_event ? 0L : static_cast<long>(WSTOPSIG(status)));
    }

    /// A thread gets the signal that it was about to get when it was stopped.
    void release() {
        for (const auto& [thread, signal] : threads_)
            ::ptrace(PTRACE_DETACH, thread, nullptr, reinterpret_cast<void*>(signal));
        threads_.clear();
    }

    std::set<pid_t> known_;
    std::vector<std::pair<pid_t, long>> threads_;
};

fs::path program_of(pid_t process) {
    std::error_code error;
    fs::path result = fs::read_symlink(folder_of_process(process) / "exe", error);
    return result;
}

void require_64_bits(pid_t process, const fs::path& name) {
    std::array<char, EI_NIDENT + 4> ident{};
    std::ifstream file(folder_of_process(process) / "exe", std::ios::binary);
    file.read(ident.data(), ident.size());
    constexpr std::size_t machine = EI_NIDENT + 2;
    if (file && (ident[EI_CLASS] != ELFCLASS64 || ident[machine] != EM_X86_64))
        throw owners_error(fmt::format(
            "{}: is a program for another processor or of 32 bits; only programs for x86-64 of 64 "
            "bits can be looked at",
            name.string()));
}

/// Whether the main thread ends alone, and not the whole process with it.
bool has_other_threads(pid_t process) {
    constexpr std::uint64_t exit_of_thread = 60;
    constexpr std::size_t system_call = 15;
    const auto registers = registers_of(process);
    if (!registers || registers->values[system_call] != exit_of_thread) return false;
    std::error_code none;
    const fs::directory_iterator tasks(folder_of_process(process) / "task", none);
    return std::distance(begin(tasks), end(tasks)) > 1;
}

/// Starts the program, and traces it from its first instruction.
pid_t start_traced(const std::vector<std::string>& command, const support::signal_watch& signals) {
    support::pipe_ends go;
    support::pipe_ends problem;
    std::vector<char*> words;
    for (const std::string& each : command) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0)
        throw owners_error(
            fmt::format("{}: cannot be run: {}", command.front(), std::strerror(errno)));
    if (child == 0) {
        char byte = 0;
        go.write.reset();
        if (::read(go.read.get(), &byte, 1) != 1) ::_exit(127);
        ::sigprocmask(SIG_SETMASK, &signals.mask_before(), nullptr);
        ::execvp(words[0], words.data());
        const int reason = errno;
        [[maybe_unused]] const auto told = ::write(problem.write.get(), &reason, sizeof reason);
        ::_exit(127);
    }
    problem.write.reset();
    constexpr long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC;
    if (::ptrace(PTRACE_SEIZE, child, nullptr, reinterpret_cast<void*>(options)) != 0) {
        const std::string reason = refusal(child);
        go.write.reset();
        support::wait_for(child);
        throw owners_error(reason);
    }
    [[maybe_unused]] const auto told = ::write(go.write.get(), "g", 1);
    // Reading ends when the program runs, because the pipe is closed on exec. Until then the
    // process stops once for the exec.
    int status = 0;
    if (::waitpid(child, &status, __WALL) == child && WIFSTOPPED(status)) {
        if ((status >> 8) == (SIGTRAP | (PTRACE_EVENT_EXEC << 8))) {
            ::ptrace(PTRACE_CONT, child, nullptr, nullptr);
            return child;
        }
        ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
    }
    int reason = 0;
    const bool is_known = ::read(problem.read.get(), &reason, sizeof reason) == sizeof reason;
    ::waitpid(child, &status, __WALL);
    throw owners_error(fmt::format("{}: cannot be run: {}", command.front(),
                                   is_known ? std::strerror(reason) : "it ended at once"));
}

}  // namespace

void require_process(pid_t process) {
    if (process == ::getpid())
        throw owners_error("freehold cannot look at itself; name another process");
    const std::string state = status_field(process, "State");
    if (process <= 0 || state.empty())
        throw owners_error(fmt::format(
            "{}: there is no such process; `pgrep -a NAME` lists those of a name", process));
    if (state.starts_with('Z') || state.starts_with('X'))
        throw owners_error(fmt::format(
            "{}: is a zombie: it ended, has no memory any more, and waits for its parent",
            process));
    const std::string whole = status_field(process, "Tgid");
    if (whole != std::to_string(process))
        throw owners_error(
            fmt::format("{}: is a thread of process {}; name the process", process, whole));
    std::error_code error;
    const fs::path program = fs::read_symlink(folder_of_process(process) / "exe", error);
    if (error == std::errc::permission_denied) throw owners_error(refusal(process));
    if (error)
        throw owners_error(
            fmt::format("{}: is a thread of the kernel, without a program", process));
    require_64_bits(process, program);
}

memory_image image_of_process(pid_t process) {
    require_process(process);
    // A debugger's process is refused at once, and not when its memory was read.
    if (!tracer_of(process).empty()) throw owners_error(refusal(process));
    memory_image image;
    image.program = program_of(process);
    const auto reader = std::make_unique<memory_reader>(process, image);
    reader->read_while_it_runs();
    {
        const stopped_threads stopped(process);
        const auto begin = std::chrono::steady_clock::now();
        image.threads = stopped.registers();
        reader->read_stopped();
        image.stopped_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    if (image.segments.empty())
        throw owners_error(fmt::format("{}: ended before it could be looked at", process));
    return image;
}

program_at_end image_at_end(const std::vector<std::string>& command,
                            const support::signal_watch& signals) {
    const pid_t child = start_traced(command, signals);
    program_at_end result;
    constexpr std::chrono::milliseconds pause{50};
    for (bool is_seen = false;;) {
        int status = 0;
        const pid_t ended = ::waitpid(child, &status, __WALL | WNOHANG);
        if (ended == 0) {
            // A terminal's Ctrl-C reaches the program, too.
            const auto signal = signals.next(pause);
            if (signal && support::signal_watch::is_request_to_end(signal->si_signo) &&
                signal->si_code <= 0)
                ::kill(child, signal->si_signo);
            continue;
        }
        if (ended < 0 && errno == EINTR) continue;
        if (ended < 0 || WIFEXITED(status) || WIFSIGNALED(status)) {
            result.status = ended < 0 ? 0 : support::exit_status_of(status);
            if (!is_seen)
                throw owners_error(
                    fmt::format("{}: was killed before it could be looked at", command.front()));
            return result;
        }
        const int event = status >> 16;
        long passed_on = 0;
        if (event == PTRACE_EVENT_EXIT && has_other_threads(child)) {
            ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
            result.status = support::exit_status_of(support::wait_for(child));
            throw owners_error(fmt::format(
                "{}: its main thread ended before the others; look at it by its number meanwhile, "
                "as `freehold owners {}`",
                command.front(), child));
        }
        if (event == PTRACE_EVENT_EXIT) {
            require_64_bits(child, command.front());
            result.image.program = program_of(child);
            if (auto registers = registers_of(child)) result.image.threads.push_back(*registers);
            std::make_unique<memory_reader>(child, result.image)->read_stopped();
            is_seen = true;
        } else if (event == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP) {
            ::ptrace(PTRACE_LISTEN, child, nullptr, nullptr);
            continue;
        } else if (event == 0) {
            passed_on = WSTOPSIG(status);
        }
        ::ptrace(PTRACE_CONT, child, nullptr, reinterpret_cast<void*>(passed_on));
    }
}

}  // namespace freehold
