// SPDX-License-Identifier: BSL-1.0
#include "record/record_command.hpp"

#include "advise/trace.hpp"
#include "record/lttng_daemon.hpp"
#include "record/lttng_session.hpp"
#include "record/record_error.hpp"
#include "support/process.hpp"
#include "support/shell_quoted.hpp"
#include "support/signal_watch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// Creates the folder, and removes it unless keep() was called.
class output_folder {
public:
    explicit output_folder(const fs::path& path) : path_(fs::absolute(path)) {
        std::error_code error;
        if (fs::exists(path_, error) &&
            (!fs::is_directory(path_, error) || !fs::is_empty(path_, error)))
            throw record_error(
                fmt::format("{}: exists already; remove it, or name another", path.string()));
        made_ = fs::create_directories(path_, error);
        if (error) throw record_error(fmt::format("{}: {}", path.string(), error.message()));
    }
    output_folder(const output_folder&) = delete;
    output_folder& operator=(const output_folder&) = delete;
    ~output_folder() {
        std::error_code ignored;
        if (made_ && !kept_) fs::remove_all(path_, ignored);
    }

    [[nodiscard]] const fs::path& path() const { return path_; }
    void keep() { kept_ = true; }

private:
    fs::path path_;
    bool made_ = false;
    bool kept_ = false;
};

/// At the end, the recorder writes the content of its buffers, and then the metadata, without which
/// nothing in the trace can be read. This must fit on the disk, together with everything that is
/// recorded between two checks. On a full disk, every single event would block the program.
constexpr std::uintmax_t least_room = std::uintmax_t{64} << 20;

bool has_room(const fs::path& folder) {
    std::error_code error;
    const fs::space_info found = fs::space(folder, error);
    return error || found.available >= least_room;
}

std::uint64_t size_of(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code ignored;
    fs::recursive_directory_iterator each(folder, ignored);
    for (; each != fs::recursive_directory_iterator(); each.increment(ignored))
        if (each->is_regular_file(ignored)) bytes += each->file_size(ignored);
    return bytes;
}

/// Reports a recording that cannot be read now, not when the user needs it.
std::string complaint_about(const fs::path& trace) {
    if (!fs::exists(trace))
        return fmt::format("{}: another program removed it during the recording", trace.string());
    if (size_of(trace) == 0)
        return fmt::format(
            "{}: nothing was recorded: into a program that is linked statically or setuid, the "
            "recorder cannot be loaded",
            trace.string());
    try {
        trace_event first;
        open_trace(trace)->next(first);
        return {};
    } catch (const unreadable_trace& error) {
        return error.what();
    }
}

}  // namespace

int record_command(const record_options& options) {
    const support::signal_watch signals;
    int status = 0;
    bool stopped = false;
    bool complete = true;
    {
        output_folder output(options.output);
        if (!has_room(output.path()))
            throw record_error(
                fmt::format("{}: less than {} MiB are free there; name a folder with more space",
                            options.output.string(), least_room >> 20));
        const lttng_daemon daemon(signals);
        lttng_session session(daemon, output.path());
        if (signals.asked_to_end()) throw record_error("interrupted");

        // The command keeps the terminal.
        const pid_t running = support::start({.command = options.command,
                                              .environment = daemon.environment_of_recorded(),
                                              .mask = signals.mask_before()});
        output.keep();
        const auto stop = [&] {
            stopped = true;
            try {
                session.stop();
            } catch (const record_error& error) {
                fmt::print(stderr, "freehold: the recording may be incomplete: {}\n", error.what());
                complete = false;
            }
        };
        const auto look = [&] {
            if (stopped || has_room(output.path())) return;
            fmt::print(stderr,
                       "freehold: {}: the disk is full: the recording ends here, and the "
                       "command continues\n",
                       options.output.string());
            complete = false;
            stop();
        };
        status = support::wait_while_passing_on(running, signals, look).status;
        if (!stopped) {
            if (const auto left = daemon.recorded_now(); !left.empty())
                fmt::print(stderr,
                           "freehold: the recording ends with the command; what it started and "
                           "still runs is not recorded any more: {}. To record a daemon, run it in "
                           "the foreground\n",
                           fmt::join(left, ", "));
            stop();
        }
    }
    if (!complete && status == 0) status = 1;

    const std::string told = complaint_about(options.output);
    if (told.empty()) {
        fmt::print(stderr, "freehold: recorded {0}, {1:.1f} MB; see `freehold advise {2}`\n",
                   options.output.string(), static_cast<double>(size_of(options.output)) / 1e6,
                   support::shell_quoted(options.output.string()));
    } else {
        fmt::print(stderr, "freehold: {}\n", told);
        if (status == 0) status = 1;
    }
    return status;
}

}  // namespace freehold
