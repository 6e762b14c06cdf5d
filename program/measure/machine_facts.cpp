// SPDX-License-Identifier: BSL-1.0
#include "measure/machine.hpp"

#include <fmt/ranges.h>

namespace freehold {
namespace {

constexpr const char* not_told = "not told";

std::string on_or_off(const std::optional<bool>& value) {
    return !value ? not_told : *value ? "on" : "off";
}

std::string list_of(const std::vector<std::string>& values) {
    return values.empty() ? not_told : fmt::format("{}", fmt::join(values, ", "));
}

std::string cores_text(const machine& machine) {
    std::string text = machine.cores > 0 ? fmt::format("{} cores, {} processors", machine.cores,
                                                       machine.processors)
                                         : fmt::format("{} processors", machine.processors);
    if (machine.usable_processors != machine.processors)
        text += fmt::format(", {} of them usable", machine.usable_processors);
    return text;
}

std::string randomisation_text(const std::optional<int>& value) {
    return !value ? not_told : fmt::format("{} ({})", *value == 0 ? "off" : "on", *value);
}

std::string perf_text(const machine& machine) {
    if (!machine.hardware_counters) return "none";
    if (!machine.perf_event_paranoid) return "there";
    return fmt::format("there (perf_event_paranoid {})", *machine.perf_event_paranoid);
}

std::string scaled(const std::optional<double>& value, double scale, int decimals,
                   const char* unit) {
    return value ? fmt::format("{:.{}f}{}", *value * scale, decimals, unit) : not_told;
}

}  // namespace

std::vector<fact> facts_of(const machine& machine) {
    constexpr double gibibytes_of_bytes = 1.0 / (1024.0 * 1024 * 1024);
    return {
        {"processor", machine.processor.value_or(not_told)},
        {"cores", cores_text(machine)},
        {"simultaneous multithreading", on_or_off(machine.simultaneous_multithreading)},
        {"caches", list_of(machine.caches)},
        {"memory", scaled(machine.memory_bytes, gibibytes_of_bytes, 1, " GiB")},
        {"system", machine.system.value_or(not_told)},
        {"kernel", machine.kernel.value_or(not_told)},
        {"C library", machine.c_library},
        {"hypervisor", machine.hypervisor.value_or("none")},
        {"processor quota", machine.processor_quota
                                ? fmt::format("{:.2g} processors", *machine.processor_quota)
                                : "none"},
        {"frequency governor", list_of(machine.governors)},
        {"turbo", on_or_off(machine.turbo)},
        {"address-space randomisation", randomisation_text(machine.address_space_randomisation)},
        {"transparent huge pages", machine.huge_pages.value_or(not_told)},
        {"load of the last minute", scaled(machine.load, 1, 2, "")},
        {"stolen processor time", scaled(machine.steal_share, 100, 2, " %")},
        {"hardware counters", perf_text(machine)},
        {"power", machine.on_battery ? "battery" : "mains"},
    };
}

}  // namespace freehold
