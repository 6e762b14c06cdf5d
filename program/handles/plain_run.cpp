// SPDX-License-Identifier: BSL-1.0
#include "handles/plain_run.hpp"

#include "support/process.hpp"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace freehold {
namespace {

double cpu_seconds_of_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

plain_run run_plainly(const std::vector<std::string>& command,
                      const support::signal_watch& signals) {
    const off_t input_at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    support::program_to_start child{.command = command, .mask = signals.mask_before()};
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        child.descriptors.emplace_back(support::null_device(), output);
    if (input_at < 0) child.descriptors.emplace_back(support::null_device(), STDIN_FILENO);

    const double before = cpu_seconds_of_children();
    const auto begin = std::chrono::steady_clock::now();
    bool is_told = false;
    const auto look = [&] {
        if (is_told || std::chrono::steady_clock::now() - begin < std::chrono::seconds(2)) return;
        is_told = true;
        fmt::print(stderr,
                   "freehold: {} first runs without Valgrind, to measure its run time; its output "
                   "is not shown\n",
                   command.front());
    };
    const support::ended_child end =
        support::wait_while_passing_on(support::start(child), signals, look);
    if (is_told)
        fmt::print(stderr, "freehold: the program now runs under Valgrind and is counted\n");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (input_at >= 0) ::lseek(STDIN_FILENO, input_at, SEEK_SET);
    return {cpu_seconds_of_children() - before, seconds.count(), end.was_asked};
}

}  // namespace freehold
