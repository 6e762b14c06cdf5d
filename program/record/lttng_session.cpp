// SPDX-License-Identifier: BSL-1.0
#include "record/lttng_session.hpp"

#include "record/record_error.hpp"

#include <algorithm>
#include <cstddef>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr const char* channel = "freehold";
constexpr std::size_t parts = 4;

/// The buffers of all processors are 16 MiB of shared memory together. But each part of a buffer
/// has at least 64 KiB, because smaller parts are exchanged too often. It has at most 1 MiB,
/// because larger parts bring no gain.
std::size_t part_size() {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    std::size_t size = std::size_t{64} << 10;
    while (size < (std::size_t{1} << 20) &&
           size * 2 * parts * processors <= (std::size_t{16} << 20))
        size *= 2;
    return size;
}

}  // namespace

lttng_session::lttng_session(const lttng_daemon& daemon, const std::filesystem::path& output)
    : daemon_(daemon), name_(fmt::format("freehold-{}", ::getpid())) {
    daemon_.control({"create", name_, "--output=" + output.string()});
    try {
        configure();
    } catch (...) {
        try {
            daemon_.control({"destroy", name_});
        } catch (const record_error&) {
            // The first failure is the one to report.
        }
        throw;
    }
}

lttng_session::~lttng_session() {
    try {
        daemon_.control({"destroy", name_});
    } catch (const record_error&) {
        // The session ended with its daemon.
    }
}

/// All processes of the user share one set of buffers, because a set for each process would cost
/// every child 0.1 s. A full buffer blocks the program for at most a second before an event is
/// lost. So a consumer that has died cannot block the program for ever.
void lttng_session::configure() {
    const std::string session = "--session=" + name_;
    const std::string in_channel = fmt::format("--channel={}", channel);
    daemon_.control({"enable-channel", "--userspace", session, "--buffers-uid",
                     fmt::format("--subbuf-size={}", part_size()),
                     fmt::format("--num-subbuf={}", parts), "--blocking-timeout=1000000", channel});
    daemon_.control({"enable-event", "--userspace", session, in_channel,
                     "lttng_ust_libc:*,lttng_ust_statedump:procname"});
    daemon_.control(
        {"add-context", "--userspace", session, in_channel, "--type=vpid", "--type=vtid"});
    daemon_.control({"start", name_});
}

void lttng_session::stop() {
    daemon_.control({"stop", name_});
}

}  // namespace freehold
