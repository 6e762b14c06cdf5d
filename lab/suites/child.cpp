// SPDX-License-Identifier: BSL-1.0
#include "suites/child.hpp"

#include "runner/process.hpp"

#include <array>
#include <cerrno>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace lab {
namespace {

[[noreturn]] void report_and_exit(int to, process_kind kind,
                                  const std::function<double()>& measure) {
    try {
        const process_setting setting(kind);  // the parent's second thread is not in its child
        const double figure = measure();
        setting.check();
        _exit(write(to, &figure, sizeof figure) == sizeof figure ? 0 : 1);
    } catch (const std::exception& error) {
        std::cerr << "freehold-lab: " << error.what() << std::endl;
        _exit(1);
    }
}

}  // namespace

double measured_in_a_child(process_kind kind, const std::function<double()>& measure) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) report_and_exit(ends[1], kind, measure);

    close(ends[1]);
    double figure = 0;
    ssize_t got = 0;
    do {
        got = read(ends[0], &figure, sizeof figure);
    } while (got < 0 && errno == EINTR);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (got != sizeof figure || status != 0) {
        throw std::runtime_error("a child process that measured ended without a figure");
    }
    return figure;
}

}  // namespace lab
