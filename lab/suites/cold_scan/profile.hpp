// SPDX-License-Identifier: BSL-1.0
// Where the processor time of a scan goes: `perf` interrupts its threads two thousand times a
// second of processor time, and what they are doing then is put down to one of a few causes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lab::cold_scan {

inline constexpr std::array<const char*, 8> causes = {
    "page_faults",            // and giving memory back, without the next
    "zeroing_by_the_kernel",  // of pages, before the program may have them
    "zeroing_in_the_program",
    "copying_from_the_kernel",
    "copying_in_the_program",
    "the_scan",
    "receiving",  // in the kernel, without the copy
    "the_rest"};

using seconds_by_cause = std::array<double, causes.size()>;

/// Empty, or why this process cannot be profiled, in one line.
std::string why_no_profile();

/// Of the processor time of this process while `run` runs, which it returns in seconds. `prepare`
/// is called right before. Throws std::runtime_error with what `perf` said.
seconds_by_cause profile(const std::function<void()>& prepare, const std::function<double()>& run);

/// Which cause a sample is put down to: its functions, the innermost first, each "name (where)" as
/// `perf script` prints them.
std::size_t cause_of(const std::vector<std::string>& functions);

}  // namespace lab::cold_scan
