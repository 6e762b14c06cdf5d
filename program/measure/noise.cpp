// SPDX-License-Identifier: BSL-1.0
#include "measure/noise.hpp"

#include <fmt/ranges.h>

namespace freehold {
namespace {

constexpr double load_that_disturbs = 0.3;

using warnings = std::vector<warning>;

void about_other_work(const machine& machine, warnings& found) {
    if (machine.load && *machine.load > load_that_disturbs)
        found.push_back(
            {fmt::format("the load of the last minute is {:.2f}: another program runs here",
                         *machine.load),
             "subjects take turns, and a figure is the lower quartile of short batches, which "
             "leaves out most of what such a program disturbs; end it, or wait until `uptime` "
             "shows a load near 0"});
    if (machine.usable_processors == 1)
        found.push_back(
            {"only one processor is usable: everything else on the machine interrupts "
             "what is measured",
             "measure on a machine, or in a container, with two or more"});
    if (machine.steal_share && *machine.steal_share > 0)
        found.push_back(
            {fmt::format("other virtual machines took {:.2f} % of the processor time",
                         *machine.steal_share * 100),
             "the lower quartile of short batches leaves most of it out; measure on dedicated "
             "processors, or at a quieter time"});
    if (machine.hypervisor)
        found.push_back(
            {"the machine is virtual: another machine's work on the same core makes everything up "
             "to twice as slow, and memory that threads share costs several times as much while "
             "the host keeps the processors far apart",
             "none is needed: samples on a shared core are taken again, and threads wait until "
             "they have their usual distance. Pinning the virtual processors on the host makes "
             "this faster"});
    if (machine.processor_quota)
        found.push_back({fmt::format("a control group stops its processes after {:.2g} processors' "
                                     "time in each period",
                                     *machine.processor_quota),
                         "lift the container's processor limit (docker run without --cpus)"});
    if (machine.simultaneous_multithreading.value_or(false))
        found.push_back(
            {"two hardware threads share each core (SMT): a program on one "
             "slows down the other",
             "samples that were taken on a shared core are taken again; echo off | sudo tee "
             "/sys/devices/system/cpu/smt/control"});
}

void about_frequency(const machine& machine, warnings& found) {
    for (const std::string& governor : machine.governors)
        if (governor != "performance")
            found.push_back(
                {fmt::format("the frequency governor is {}: the clock rate depends on "
                             "the load",
                             governor),
                 "ratios are of one round, in which it changes least; sudo cpupower frequency-set "
                 "-g performance (package linux-cpupower or linux-tools)"});
    if (machine.turbo.value_or(false))
        found.push_back(
            {"turbo is on: the clock rate depends on temperature and on the other cores",
             "ratios are of one round, in which it changes least; echo 1 | sudo tee "
             "/sys/devices/system/cpu/intel_pstate/no_turbo, or on "
             "other drivers echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"});
    if (machine.on_battery)
        found.push_back(
            {"the machine runs on battery: it saves power and may be slower", "plug it in"});
}

void about_memory(const machine& machine, warnings& found) {
    if (machine.address_space_randomisation.value_or(0) != 0)
        found.push_back(
            {"address-space randomisation is on: each process has its data at "
             "other addresses, and so has other cache conflicts",
             "none needed: each round measures in new processes, so the "
             "interval includes the effect; `setarch -R freehold measure` keeps "
             "one layout"});
    if (machine.huge_pages == "always")
        found.push_back(
            {"huge pages are given to every process (always): whether a process "
             "gets them depends on how fragmented memory is",
             "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"});
}

/// Missing counters are not noise, but without them nobody can analyse noise.
void about_counters(const machine& machine, warnings& found) {
    constexpr int kernel_hidden_user_visible = 2;
    if (!machine.hardware_counters)
        found.push_back(
            {"there are no hardware counters: `perf stat` cannot explain a figure",
             "on a virtual machine, let the host expose its performance monitoring unit"});
    else if (machine.perf_event_paranoid.value_or(0) > kernel_hidden_user_visible)
        found.push_back(
            {fmt::format("hardware counters are closed to users (perf_event_paranoid is "
                         "{}): `perf stat` cannot explain a figure",
                         *machine.perf_event_paranoid),
             "sudo sysctl kernel.perf_event_paranoid=2"});
}

}  // namespace

std::vector<warning> reasons_for_noise(const machine& machine) {
    warnings found;
    about_other_work(machine, found);
    about_frequency(machine, found);
    about_memory(machine, found);
    about_counters(machine, found);
    return found;
}

}  // namespace freehold
