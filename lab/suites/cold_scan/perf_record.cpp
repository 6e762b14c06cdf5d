// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/perf_record.hpp"

#include "support/process.hpp"
#include "support/programs.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lab::cold_scan {
namespace {

constexpr int patience_milliseconds = 20'000;

// The numbers of the descriptors in the process of perf.
constexpr int orders_in_perf = 40;
constexpr int answers_in_perf = 41;
constexpr int samples_in_perf = 42;

std::string path_of(int descriptor) {
    std::ostringstream path;
    path << "/proc/" << getpid() << "/fd/" << descriptor;
    return path.str();
}

int file_in_memory(const char* name) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
    return file;
}

/// Returns the function of a line such as "  ffffffff815f3d04 do_mmap ([kernel.kallsyms])".
std::string function_in(const std::string& line) {
    const std::size_t address = line.find_first_not_of(" \t");
    const std::size_t name = line.find(' ', address);
    return name == std::string::npos ? line.substr(address) : line.substr(name + 1);
}

}  // namespace

std::optional<std::filesystem::path> perf_record::find() {
    return support::find_program("perf");
}

perf_record::perf_record() {
    const auto found = find();
    if (!found) throw std::runtime_error("perf is not installed");
    program_ = *found;
    samples_.reset(file_in_memory("samples"));
    diagnostics_.reset(file_in_memory("diagnostics"));
    support::pipe_ends orders;
    support::pipe_ends answers;
    const std::string control =
        std::string("fd:") + std::to_string(orders_in_perf) + "," + std::to_string(answers_in_perf);
    const std::string output = std::string("/proc/self/fd/") + std::to_string(samples_in_perf);
    process_ = support::start(
        {.command = {program_, "record", "--quiet", "--event", "cpu-clock", "--count", "500000",
                     "--call-graph", "fp", "--delay", "-1", "--control", control, "--output",
                     output, "--pid", std::to_string(getpid())},
         .descriptors = {{orders.read.get(), orders_in_perf},
                         {answers.write.get(), answers_in_perf},
                         {samples_.get(), samples_in_perf},
                         {diagnostics_.get(), STDOUT_FILENO},
                         {diagnostics_.get(), STDERR_FILENO}}});
    orders_ = std::move(orders.write);
    answers_ = std::move(answers.read);
    // perf answers this when it watches all existing threads.
    say("ping\n");
}

perf_record::~perf_record() {
    end();
}

void perf_record::finish(const std::function<void(const std::vector<std::string>&)>& sample) {
    say("disable\n");
    end();
    const support::finished_process script =
        support::run({.command = {program_, "script", "--input", path_of(samples_.get()),
                                  "--fields", "ip,sym,dso"},
                      .descriptors = {{support::null_device(), STDERR_FILENO}}},
                     false);
    std::istringstream lines(script.output);
    std::vector<std::string> functions;
    for (std::string text; std::getline(lines, text);) {
        if (text.find_first_not_of(" \t") != std::string::npos) {
            functions.push_back(function_in(text));
        } else if (!functions.empty()) {
            sample(functions);
            functions.clear();
        }
    }
    if (!functions.empty()) sample(functions);
}

/// Waits until perf has executed the order.
void perf_record::say(const char* order) {
    // If perf has ended, a write to the pipe must not end this process.
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    const std::size_t size = std::strlen(order);
    const bool said = write(orders_.get(), order, size) == static_cast<ssize_t>(size);
    std::signal(SIGPIPE, before);
    pollfd answer{answers_.get(), POLLIN, 0};
    std::array<char, 16> acknowledgement{};
    if (!said || poll(&answer, 1, patience_milliseconds) != 1 ||
        read(answers_.get(), acknowledgement.data(), acknowledgement.size()) <= 0) {
        fail("does not record");
    }
}

void perf_record::end() noexcept {
    if (process_ < 0) return;
    kill(process_, SIGINT);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
}

void perf_record::fail(const std::string& what) const {
    std::array<char, 1024> text{};
    const ssize_t got = pread(diagnostics_.get(), text.data(), text.size() - 1, 0);
    std::string said(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    said = said.substr(0, said.find('\n'));
    throw std::runtime_error("perf " + what + (said.empty() ? "" : ": " + said));
}

}  // namespace lab::cold_scan
