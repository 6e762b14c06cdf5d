// SPDX-License-Identifier: BSL-1.0
#include "runner/child.hpp"

#include "runner/process_setting.hpp"
#include "suites/common/thread_processors.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <sched.h>
#include <unistd.h>

namespace lab {
namespace {

// A child writes one of these characters. Then it writes the figures as they lie in memory, or the
// error message.
constexpr char figures_follow = 'f';
constexpr char words_follow = 'w';

bool write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(to, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

[[noreturn]] void report_and_exit(int to, process_kind kind,
                                  const std::function<std::vector<double>()>& measure) {
    std::string report;
    bool good = false;
    try {
        const process_setting setting(kind);  // the child has no second thread yet
        const std::vector<double> figures = measure();
        setting.check();
        report.assign(1 + figures.size() * sizeof(double), figures_follow);
        std::memcpy(report.data() + 1, figures.data(), figures.size() * sizeof(double));
        good = true;
    } catch (const std::exception& error) {
        report = words_follow + std::string(error.what());
    }
    _exit(write_all(to, report) && good ? 0 : 1);
}

}  // namespace

std::vector<double> all_measured_in_a_child(process_kind kind,
                                            const std::function<std::vector<double>()>& measure) {
    support::pipe_ends pipe;
    const int processor = sched_getcpu();
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        pipe.read.reset();
        // The parent waits from now on, and its core is quiet. The system would choose another one.
        { const kept_on_processor moved(processor); }
        report_and_exit(pipe.write.get(), kind, measure);
    }

    pipe.write.reset();
    const std::string report = support::read_all(pipe.read.get());
    const int status = support::wait_for(child);
    if (!report.empty() && report.front() == words_follow) {
        throw std::runtime_error(report.substr(1));
    }
    if (status != 0 || report.empty() || report.size() % sizeof(double) != 1) {
        throw std::runtime_error("a child process that measured ended without a figure");
    }
    std::vector<double> figures(report.size() / sizeof(double));
    std::memcpy(figures.data(), report.data() + 1, report.size() - 1);
    return figures;
}

double measured_in_a_child(process_kind kind, const std::function<double()>& measure) {
    return all_measured_in_a_child(kind, [&] { return std::vector<double>{measure()}; }).front();
}

}  // namespace lab
