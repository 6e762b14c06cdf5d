// SPDX-License-Identifier: BSL-1.0
#include "measure/progress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>

namespace freehold {
namespace {

constexpr std::chrono::milliseconds between_rewrites{100};

std::size_t terminal_width(std::FILE* out) {
    winsize size{};
    const bool known = ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
    const long whole = std::lround(std::max(0.0, seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

progress::progress(std::FILE* out, bool rewrites, time_estimate estimate)
    : out_(out), rewrites_(rewrites), estimate_(std::move(estimate)) {}

progress::~progress() {
    if (rewrites_) fmt::print(out_, "\r\033[K");
}

double progress::seconds() const {
    return std::chrono::duration<double>(clock::now() - suite_began_).count();
}

void progress::begin_suite(const std::string& name) {
    suite_ = name;
    process_.clear();
    cell_.clear();
    share_ = 0;
    suite_began_ = clock::now();
}

void progress::end_suite(bool whole) {
    const double took = seconds();
    if (rewrites_) fmt::print(out_, "\r\033[K");
    fmt::print(out_, "{}: {} {}\n", suite_, whole ? "done in" : "stopped after",
               duration_text(took));
    if (whole) estimate_.suite_done(took);
}

void progress::begin_process(const std::string& description) {
    process_ = description;
    cell_.clear();
    if (rewrites_)
        show(state());
    else
        fmt::print(out_, "{}\n", state());
    std::fflush(out_);
}

void progress::update(const std::string& cell, double share) {
    cell_ = cell;
    share_ = share;
    tick();
}

void progress::tick() {
    if (rewrites_ && clock::now() - shown_ >= between_rewrites) show(state());
}

std::string progress::state() const {
    const double elapsed = seconds();
    std::string line = fmt::format(
        "{:3.0f} %, {} left | {}, {}", std::floor(100 * estimate_.done(elapsed, share_)),
        duration_text(estimate_.remaining(elapsed, share_)), suite_, process_);
    if (!cell_.empty()) line += " | " + cell_;
    return line;
}

void progress::show(const std::string& line) {
    shown_ = clock::now();
    const std::size_t width = terminal_width(out_) - 1;
    fmt::print(out_, "\r{:.{}}\033[K", line, width);
    std::fflush(out_);
}

}  // namespace freehold
