// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/profile.hpp"

#include "suites/cold_scan/perf_record.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

namespace lab::cold_scan {
namespace {

enum cause : std::size_t {
    page_faults,
    zeroing_by_the_kernel,
    zeroing_in_the_program,
    copying_from_the_kernel,
    copying_in_the_program,
    the_scan,
    receiving,
    the_rest
};

using words = std::initializer_list<std::string_view>;

bool has_any(std::string_view function, words some) {
    return std::any_of(some.begin(), some.end(), [&](std::string_view word) {
        return function.find(word) != std::string_view::npos;
    });
}

bool any_has(const std::vector<std::string>& functions, words some) {
    return std::any_of(functions.begin(), functions.end(),
                       [&](const std::string& each) { return has_any(each, some); });
}

bool is_kernel(std::string_view function) {
    return has_any(function, {"([kernel", "([guest.kernel", ".ko)"});
}

}  // namespace

std::size_t cause_of(const std::vector<std::string>& functions) {
    if (functions.empty()) return the_rest;
    const std::string& innermost = functions.front();
    if (!is_kernel(innermost)) {
        if (has_any(innermost, {"memset"})) return zeroing_in_the_program;
        if (has_any(innermost, {"memcpy", "memmove", "streaming_copy"})) {
            return copying_in_the_program;
        }
        return has_any(innermost, {"sum_of_prices"}) ? the_scan : the_rest;
    }
    if (any_has(functions, {"page_fault", "munmap", "madvise", "mmap_region", "exit_mmap"})) {
        const words zeroing = {"clear_page", "clear_huge", "clear_subpage", "folio_zero"};
        return any_has(functions, zeroing) ? zeroing_by_the_kernel : page_faults;
    }
    if (has_any(innermost, {"copy_user", "copyout", "rep_movs", "copy_to_iter", "copy_to_user"})) {
        return copying_from_the_kernel;
    }
    return any_has(functions, {"recv", "tcp_", "sock_", "vfs_read", "pread"}) ? receiving
                                                                              : the_rest;
}

std::string why_no_profile() {
    if (!perf_record::find()) return "perf is not installed (Debian: linux-perf)";
    int paranoid = 0;
    std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> paranoid;
    if (geteuid() != 0 && paranoid > 1) {
        return "the kernel's part may not be profiled: run as root, or set the kernel's "
               "perf_event_paranoid to 1";
    }
    std::string address;
    std::ifstream("/proc/kallsyms") >> address;
    if (address.find_first_not_of('0') == std::string::npos) {
        return "the kernel hides its functions' names: run as root, or set its kptr_restrict to 0";
    }
    return "";
}

seconds_by_cause profile(const std::function<void()>& prepare, const std::function<double()>& run) {
    perf_record recording;
    prepare();
    recording.start();
    const double seconds = run();
    std::array<std::uint64_t, causes.size()> counts{};
    recording.finish(
        [&](const std::vector<std::string>& functions) { ++counts[cause_of(functions)]; });
    const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (all == 0) throw std::runtime_error("perf took no samples");
    seconds_by_cause result{};
    std::transform(counts.begin(), counts.end(), result.begin(), [&](std::uint64_t count) {
        return seconds * static_cast<double>(count) / static_cast<double>(all);
    });
    return result;
}

}  // namespace lab::cold_scan
