// SPDX-License-Identifier: BSL-1.0
// Facts about the machine and its settings that affect measurements. A fact that the system does
// not report has no value, as is common in containers and virtual machines.
#pragma once

#include "measure/system_tree.hpp"
#include "results/result_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct machine {
    std::optional<std::string> processor;
    int processors = 0;         // online
    int usable_processors = 0;  // by this process
    int cores = 0;              // 0: unknown
    std::optional<bool> simultaneous_multithreading;
    std::vector<std::string> caches;  // of the first processor: "L1 data 48 KiB"
    std::optional<double> memory_bytes;

    std::optional<std::string> system;  // "Debian GNU/Linux 12 (bookworm)"
    std::optional<std::string> kernel;
    std::string c_library;
    std::optional<std::string> hypervisor;
    std::optional<double> processor_quota;  // in processors, where a control group limits them

    std::vector<std::string> governors;  // the different ones
    std::optional<bool> turbo;
    std::optional<int> address_space_randomisation;
    std::optional<std::string> huge_pages;  // "always", "madvise" or "never"
    std::optional<double> load;             // of the last minute
    std::optional<double> steal_share;      // of all processor time since the start
    std::optional<int> perf_event_paranoid;
    bool hardware_counters = false;
    bool on_battery = false;
};

[[nodiscard]] machine describe_machine(const system_tree& tree = system_tree());

/// As the program shows them, in that order.
[[nodiscard]] std::vector<fact> facts_of(const machine& machine);

}  // namespace freehold
