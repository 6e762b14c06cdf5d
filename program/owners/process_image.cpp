// SPDX-License-Identifier: BSL-1.0
#include "owners/process_image.hpp"

#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t page = bytes_of_page;

fs::path folder_of_process(pid_t process) {
    return fs::path("/proc") / std::to_string(process);
}

/// Returns a field of /proc/PID/status, or an empty text.
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

/// Why ptrace may not be used, with the remedy.
std::string refusal(pid_t process) {
    const std::string tracer = status_field(process, "TracerPid");
    if (!tracer.empty() && tracer != "0")
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

struct mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    bool is_readable = false;
    bool is_writable = false;
    bool is_executable = false;
    bool is_shared = false;
    std::string name;
};

std::vector<mapping> mappings_of(pid_t process) {
    std::vector<mapping> result;
    std::ifstream maps(folder_of_process(process) / "maps");
    for (std::string line; std::getline(maps, line);) {
        mapping each;
        char rights[5] = {};
        int name = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %n", &each.begin, &each.end, rights,
                        &each.offset, &name) < 4)
            continue;
        each.is_readable = rights[0] == 'r';
        each.is_writable = rights[1] == 'w';
        each.is_executable = rights[2] == 'x';
        each.is_shared = rights[3] == 's';
        if (name > 0 && static_cast<std::size_t>(name) < line.size())
            each.name = line.substr(static_cast<std::size_t>(name));
        result.push_back(std::move(each));
    }
    return result;
}

/// Reading the memory of devices may have effects.
bool is_of_device(const mapping& each) {
    return each.name.starts_with("/dev/") && !each.name.starts_with("/dev/shm/") &&
           !each.name.starts_with("/dev/zero");
}

/// Reads pages of a process's memory into an image.
class memory_reader {
public:
    memory_reader(pid_t process, memory_image& image)
        : process_(process),
          image_(image),
          memory_(::open((folder_of_process(process) / "mem").c_str(), O_RDONLY | O_CLOEXEC)),
          pages_(::open((folder_of_process(process) / "pagemap").c_str(), O_RDONLY | O_CLOEXEC)) {
        if (memory_.get() < 0) throw owners_error(refusal(process));
    }

    /// What cannot be read is 0.
    void read(const mapping& from, memory_segment& to) {
        // The system gives pages of files and of shared memory to a process when it uses them.
        if (from.is_shared || from.name.starts_with('/'))
            read(to, to.begin, to.end);
        else
            read_used(to);
    }

private:
    void read_used(memory_segment& to) {
        constexpr std::size_t at_once = 4096;
        constexpr std::uint64_t present_or_swapped = std::uint64_t{3} << 62;
        std::vector<std::uint64_t> entries(at_once);
        for (std::uint64_t first = to.begin; first < to.end; first += at_once * page) {
            const std::uint64_t count = std::min<std::uint64_t>(at_once, (to.end - first) / page);
            const std::size_t wanted = count * sizeof(std::uint64_t);
            if (::pread(pages_.get(), entries.data(), wanted,
                        static_cast<off_t>(first / page * sizeof(std::uint64_t))) !=
                static_cast<ssize_t>(wanted))
                std::fill(entries.begin(), entries.end(), present_or_swapped);
            for (std::size_t i = 0; i < count;) {
                std::size_t last = i;
                while (last < count && (entries[last] & present_or_swapped) != 0) ++last;
                if (last != i) read(to, first + i * page, first + last * page);
                i = last + 1;
            }
        }
    }

    void read(memory_segment& to, std::uint64_t begin, std::uint64_t end) {
        while (begin != end) {
            const std::uint64_t size = std::min<std::uint64_t>(end - begin, sizeof window_);
            copy(begin, size);
            image_.add_pages(to, begin, window_.data(), size);
            begin += size;
        }
    }

    void copy(std::uint64_t begin, std::uint64_t size) {
        auto* const to = reinterpret_cast<std::byte*>(window_.data());
        const iovec here{to, size};
        const iovec there{reinterpret_cast<void*>(begin), size};
        const ssize_t whole = ::process_vm_readv(process_, &here, 1, &there, 1, 0);
        for (std::uint64_t done = whole > 0 ? static_cast<std::uint64_t>(whole) : 0; done < size;) {
            const ssize_t got =
                ::pread(memory_.get(), to + done, size - done, static_cast<off_t>(begin + done));
            if (got > 0) {
                done += static_cast<std::uint64_t>(got);
                continue;
            }
            // Behind the end of a mapped file there is nothing.
            const std::uint64_t rest = page - done % page;
            std::memset(to + done, 0, rest);
            done += rest;
        }
    }

    pid_t process_;
    memory_image& image_;
    support::descriptor memory_;
    support::descriptor pages_;
    std::array<std::uint64_t, 64 * words_of_page> window_{};
};

/// The beginning of a mapped file has the headers of ELF and the build-id.
constexpr std::uint64_t beginning = 4 * page;

/// epoll keeps a word for each file that it watches, which is often a pointer.
void add_words_of_epoll(pid_t process, memory_image& image) {
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder_of_process(process) / "fdinfo", none)) {
        std::ifstream file(each.path());
        for (std::string line; std::getline(file, line);) {
            constexpr std::string_view mark = "data:";
            const std::size_t at = line.find(mark);
            std::uint64_t word = 0;
            if (!line.starts_with("tfd:") || at == std::string::npos) continue;
            if (std::sscanf(line.c_str() + at + mark.size(), "%lx", &word) == 1 && word != 0)
                image.held_by_system.push_back(word);
        }
    }
}

bool is_of_a_file(const mapping& each) {
    return each.name.starts_with('/');
}
/// Memory without a file that cannot be written any more was written before.
bool is_written(const mapping& each) {
    return each.is_writable || (!is_of_a_file(each) && !each.is_executable);
}

void read_memory(pid_t process, memory_image& image) {
    add_words_of_epoll(process, image);
    std::vector<mapping> all = mappings_of(process);
    std::erase_if(all, [](const mapping& each) {
        return each.is_readable && (each.name.starts_with("[v") || is_of_device(each));
    });
    std::vector<const mapping*> largest;
    for (const mapping& each : all)
        if (each.is_readable) largest.push_back(&each);
    std::stable_sort(largest.begin(), largest.end(), [](const mapping* a, const mapping* b) {
        return a->end - a->begin > b->end - b->begin;
    });
    for (const bool written : {true, false})
        for (const mapping* const each : largest)
            if (is_written(*each) == written) image.pages.expect_addresses(each->begin, each->end);
    const auto reader = std::make_unique<memory_reader>(process, image);
    std::uint64_t unreadable_until = 0;
    for (const mapping& each : all) {
        if (!each.is_readable) {
            unreadable_until = each.end;
            continue;
        }
        if (is_of_a_file(each)) {
            mapped_file file{each.name, each.begin, each.end, each.offset, {}};
            const fs::path folder = folder_of_process(process);
            file.other_paths = {
                (folder / "map_files" / fmt::format("{:x}-{:x}", each.begin, each.end)).string(),
                (folder / "root").string() + each.name};
            image.files.push_back(std::move(file));
        }
        if (!is_written(each) && !(is_of_a_file(each) && each.offset == 0)) continue;
        const std::uint64_t size =
            is_written(each) ? each.end - each.begin : std::min(beginning, each.end - each.begin);
        memory_segment& segment = image.add_segment(each.begin, each.begin + size);
        segment.is_writable = is_written(each);
        segment.is_of_a_file = is_of_a_file(each);
        segment.has_guard = unreadable_until == each.begin;
        reader->read(each, segment);
    }
}

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
    memory_image image;
    image.program = program_of(process);
    {
        const stopped_threads stopped(process);
        const auto begin = std::chrono::steady_clock::now();
        image.threads = stopped.registers();
        read_memory(process, image);
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
            read_memory(child, result.image);
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
