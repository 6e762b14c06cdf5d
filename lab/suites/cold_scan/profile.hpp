// SPDX-License-Identifier: BSL-1.0
// How a scan uses its processor time. `perf` interrupts the threads two thousand times per second
// of processor time, and assigns what they do at that moment to one of a few causes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lab::cold_scan {

inline constexpr std::array<const char*, 8> causes = {
    "page_faults",            // includes giving memory back, but not the next cause
    "zeroing_by_the_kernel",  // before the program gets the pages
    "zeroing_in_the_program",
    "copying_from_the_kernel",
    "copying_in_the_program",
    "the_scan",
    "receiving",  // in the kernel, without the copy
    "the_rest"};

using seconds_by_cause = std::array<double, causes.size()>;

/// Returns an empty string, or the reason in one line why this process cannot be profiled.
std::string why_no_profile();

/// Calls `prepare` and then `run`, and returns the processor time of this process during `run`, by
/// cause. `run` returns that time in seconds. Throws std::runtime_error with the message of `perf`.
seconds_by_cause profile(const std::function<void()>& prepare, const std::function<double()>& run);

/// Returns the cause to which a sample belongs. `functions` begins with the innermost one; each is
/// "name (where)", as `perf script` prints it.
std::size_t cause_of(const std::vector<std::string>& functions);

}  // namespace lab::cold_scan
