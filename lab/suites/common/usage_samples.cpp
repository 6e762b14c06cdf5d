// SPDX-License-Identifier: BSL-1.0
#include "suites/common/usage_samples.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace lab {
namespace {

constexpr std::chrono::milliseconds between_samples{4};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Returns the usage until `seconds`, interpolated between the two nearest samples.
usage used_until(const std::vector<usage_samples::sample>& samples, double seconds) {
    const auto after = std::lower_bound(
        samples.begin() + 1, samples.end() - 1, seconds,
        [](const usage_samples::sample& each, double when) { return each.seconds < when; });
    const auto& a = *(after - 1);
    const auto& b = *after;
    const double length = b.seconds - a.seconds;
    const double share = length > 0 ? (seconds - a.seconds) / length : 1;
    return {a.used.user + share * (b.used.user - a.used.user),
            a.used.system + share * (b.used.system - a.used.system), 0};
}

}  // namespace

usage usage::now() {
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) != 0) {
        throw std::system_error(errno, std::generic_category(), "getrusage");
    }
    return {seconds_of(used.ru_utime), seconds_of(used.ru_stime),
            static_cast<double>(used.ru_minflt)};
}

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    if (!(file >> all >> resident)) {
        throw std::runtime_error("/proc/self/statm does not say how much memory is used");
    }
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

usage_samples::usage_samples() {
    samples_.reserve(4096);
    take();
    thread_ = std::thread([this] { watch(); });
}

usage_samples::~usage_samples() {
    if (thread_.joinable()) finish();
}

const std::vector<usage_samples::sample>& usage_samples::finish() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
    take();
    return samples_;
}

void usage_samples::take() {
    const std::chrono::duration<double> since = clock::now() - begin_;
    samples_.push_back({since.count(), usage::now()});
    most_resident_ = std::max(most_resident_, resident_bytes());
}

void usage_samples::watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_samples, [this] { return end_; })) take();
}

usage_in_parts in_parts(const std::vector<usage_samples::sample>& samples, std::size_t parts) {
    const double length = samples.back().seconds / static_cast<double>(parts);
    usage_in_parts result;
    usage before = samples.front().used;
    for (std::size_t part = 1; part <= parts; ++part) {
        const usage after = used_until(samples, static_cast<double>(part) * length);
        result.user.push_back(std::max(0.0, after.user - before.user) / length);
        result.system.push_back(std::max(0.0, after.system - before.system) / length);
        before = after;
    }
    return result;
}

}  // namespace lab
