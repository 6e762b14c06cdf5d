// SPDX-License-Identifier: BSL-1.0
#include "record/lttng_daemon.hpp"

#include "record/record_error.hpp"
#include "support/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* how_to_install =
    "scripts/install of Freehold installs LTTng (Debian and Ubuntu: apt-get install lttng-tools "
    "liblttng-ust-dev)";

// The wrapper of malloc and related functions, and that of fork. Without the second, children are
// not recorded.
constexpr const char* recorder_libraries = "liblttng-ust-libc-wrapper.so.1:liblttng-ust-fork.so.1";

constexpr const char* root_lock = "/run/freehold-record.lock";

/// The daemon's sockets have up to 40 characters below this folder, and a socket's path may have at
/// most 107.
fs::path folder_for_temporary_files() {
    constexpr std::size_t longest = 50;
    std::error_code error;
    const fs::path path = fs::temp_directory_path(error);
    return error || path.native().size() > longest ? fs::path("/tmp") : path;
}

std::string preload() {
    const char* others = std::getenv("LD_PRELOAD");
    return others == nullptr || *others == '\0' ? std::string(recorder_libraries)
                                                : fmt::format("{}:{}", recorder_libraries, others);
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Waits until the process has ended, at most for `time`. Does not reap the process.
bool ends_within(pid_t process, std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    for (;;) {
        siginfo_t information{};
        if (::waitid(P_PID, static_cast<id_t>(process), &information,
                     WEXITED | WNOHANG | WNOWAIT) != 0 ||
            information.si_pid == process)
            return true;
        if (std::chrono::steady_clock::now() > until) return false;
        ::usleep(5000);
    }
}

}  // namespace

lttng_daemon::lttng_daemon(const support::signal_watch& signals)
    : signals_(signals), folder_("record", folder_for_temporary_files()) {
    try {
        refuse_if_unusable();
        lock_for_root();
        if (run(lttng({"list"})).status != 0) start_daemon();
    } catch (...) {
        remove();
        throw;
    }
}

lttng_daemon::~lttng_daemon() {
    remove();
}

void lttng_daemon::remove() noexcept {
    if (daemon_ > 0) {
        ::kill(daemon_, SIGTERM);
        // The daemon ends the consumers of its traces, which are in its process group.
        ends_within(daemon_, 10s);
        ::kill(-daemon_, SIGKILL);
        int status = 0;
        ::waitpid(daemon_, &status, 0);
    }
    if (lock_ >= 0) ::close(lock_);
}

support::program_to_start lttng_daemon::lttng(const std::vector<std::string>& arguments) const {
    support::program_to_start result{
        .command = {"lttng", "--no-sessiond"},
        .environment = {"LTTNG_HOME=" + folder_.path().string(), "LC_ALL=C"},
        .mask = signals_.mask_before()};
    result.command.insert(result.command.end(), arguments.begin(), arguments.end());
    return result;
}

/// If the dynamic linker cannot preload a library, it prints a message and continues without it.
/// The wrapper uses dynamic TLS, for which glibc 2.39 calls `free`, which is the wrapper's: without
/// end.
void lttng_daemon::refuse_if_unusable() const {
    for (const char* program : {"lttng", "lttng-sessiond"}) {
        try {
            support::program_to_start version = lttng({});
            version.command = {program, "--version"};
            support::run(version);
        } catch (const std::system_error& error) {
            throw record_error(fmt::format("{}; {}", error.what(), how_to_install));
        }
    }
    support::program_to_start nothing = lttng({});
    nothing.command = {"true"};
    nothing.environment.push_back("LD_PRELOAD=" + preload());
    const support::finished_process end = support::run(nothing);
    if (end.output.find("cannot be preloaded") != std::string::npos &&
        end.output.find("lttng") != std::string::npos)
        throw record_error(fmt::format("{}; {}", end.last_line(), how_to_install));
    if (end.status != 0)
        throw record_error(
            "with LTTng's wrapper of malloc, every program crashes here. LTTng 2.13 does so with "
            "glibc 2.39, as Ubuntu 24.04 has both; record with heaptrack, whose files `freehold "
            "advise` reads as well");
}

void lttng_daemon::lock_for_root() {
    if (::geteuid() != 0) return;
    lock_ = ::open(root_lock, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock_ < 0) throw record_error(fmt::format("{}: {}", root_lock, std::strerror(errno)));
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    fmt::print(stderr, "freehold: waiting for the end of another recording by root\n");
    while (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        const auto signal = signals_.next(100ms);
        if (signal && support::signal_watch::is_request_to_end(signal->si_signo))
            throw record_error("interrupted");
    }
}

/// Of all programs of root that were started with the wrapper, the daemon's usual socket would
/// accept those of an earlier recording that still run. So the daemon gets a socket in this
/// object's folder, as other users have it. The protocol's version is part of the name that a
/// program looks for.
fs::path lttng_daemon::socket_of_recorded() const {
    const fs::path folder = folder_ / ".lttng";
    const fs::path socket = folder / "apps";
    fs::create_directories(folder);
    for (int version = 5; version < 30; ++version)
        fs::create_symlink(socket, folder / fmt::format("lttng-ust-sock-{}", version));
    return socket;
}

void lttng_daemon::start_daemon() {
    const fs::path log = folder_ / "log";
    const support::descriptor output(
        ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600));
    if (output.get() < 0)
        throw record_error(fmt::format("{}: {}", log.string(), std::strerror(errno)));
    support::program_to_start daemon = lttng({});
    daemon.command = {"lttng-sessiond", "--no-kernel", "--sig-parent",
                      "--apps-sock=" + socket_of_recorded().string()};
    daemon.in = support::program_to_start::group::own_session;
    daemon.ends_with_parent = true;
    daemon.descriptors = {{support::null_device(), STDIN_FILENO},
                          {output.get(), STDOUT_FILENO},
                          {output.get(), STDERR_FILENO}};
    daemon_ = support::start(daemon);

    const auto until = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < until) {
        const auto signal = signals_.next(100ms);
        if (signal && signal->si_signo == SIGUSR1) return;
        if (signal && support::signal_watch::is_request_to_end(signal->si_signo))
            throw record_error("interrupted");
        if (ends_within(daemon_, 0ms)) break;
    }
    const support::finished_process said{0, text_of(log)};
    throw record_error(fmt::format("lttng-sessiond does not start: {}", said.last_line()));
}

std::string lttng_daemon::control(const std::vector<std::string>& arguments) const {
    const support::finished_process end = support::run(lttng(arguments));
    if (end.status == 0) return end.output;
    throw record_error(
        fmt::format("`lttng {}` fails: {}", fmt::join(arguments, " "), end.last_line()));
}

std::vector<std::string> lttng_daemon::environment_of_recorded() const {
    return {"LTTNG_HOME=" + folder_.path().string(), "LTTNG_UST_ALLOW_BLOCKING=1",
            "LD_PRELOAD=" + preload()};
}

std::vector<std::string> lttng_daemon::recorded_now() const {
    std::vector<std::string> found;
    std::error_code ignored;
    fs::directory_iterator each("/proc", ignored);
    for (; each != fs::directory_iterator(); each.increment(ignored)) {
        // A process of another user cannot be read, and counts as another's.
        const std::string environment = text_of(each->path() / "environ");
        std::string name = text_of(each->path() / "comm");
        const auto has = [&](const std::string& variable) {
            return ('\0' + environment).find('\0' + variable + '\0') != std::string::npos;
        };
        const std::vector<std::string> own = environment_of_recorded();
        if (name.empty() || !std::all_of(own.begin(), own.end(), has)) continue;
        name.pop_back();  // the end of the line
        found.push_back(fmt::format("{} ({})", name, each->path().filename().string()));
    }
    return found;
}

}  // namespace freehold
