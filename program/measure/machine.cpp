// SPDX-License-Identifier: BSL-1.0
#include "measure/machine.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace {

const std::string processors_folder = "sys/devices/system/cpu/";

std::vector<std::string> processor_folders(const system_tree& tree) {
    std::vector<std::string> folders;
    for (const std::string& name : tree.entries(processors_folder)) {
        const bool numbered = name.size() > 3 && name.rfind("cpu", 0) == 0 &&
                              std::all_of(name.begin() + 3, name.end(),
                                          [](unsigned char c) { return std::isdigit(c) != 0; });
        if (numbered) folders.push_back(processors_folder + name + "/");
    }
    return folders;
}

std::set<std::string> different_values(const system_tree& tree, const std::string& file) {
    std::set<std::string> values;
    for (const std::string& folder : processor_folders(tree))
        if (const auto value = tree.text(folder + file)) values.insert(*value);
    return values;
}

void describe_processor(const system_tree& tree, machine& result) {
    result.processor = tree.field("proc/cpuinfo", "model name");
    if (!result.processor) result.processor = tree.field("proc/cpuinfo", "Model");
    if (const auto online = tree.text(processors_folder + "online"))
        result.processors = count_of_processors(*online);
    const auto allowed = tree.field("proc/self/status", "Cpus_allowed_list");
    result.usable_processors = allowed ? count_of_processors(*allowed) : result.processors;
    result.cores = static_cast<int>(different_values(tree, "topology/thread_siblings_list").size());
    if (const auto active = tree.number(processors_folder + "smt/active"))
        result.simultaneous_multithreading = *active != 0;
}

std::vector<std::string> caches_of(const system_tree& tree) {
    std::vector<std::string> caches;
    const std::string folder = processors_folder + "cpu0/cache/";
    for (const std::string& index : tree.entries(folder)) {
        const auto level = tree.text(folder + index + "/level");
        const auto size = tree.number(folder + index + "/size");  // "48K"
        if (!level || !size) continue;
        const std::string type = tree.text(folder + index + "/type").value_or("");
        const std::string kind = type == "Data" ? " data" : type == "Instruction" ? " code" : "";
        caches.push_back(*size >= 1024 ? fmt::format("L{}{} {:.4g} MiB", *level, kind, *size / 1024)
                                       : fmt::format("L{}{} {:g} KiB", *level, kind, *size));
    }
    return caches;
}

std::optional<std::string> quoted_value(const system_tree& tree, const std::string& path,
                                        const std::string& name) {
    std::istringstream lines(tree.text(path).value_or(""));
    for (std::string line; std::getline(lines, line);)
        if (line.rfind(name + "=\"", 0) == 0)
            return line.substr(name.size() + 2, line.find_last_of('"') - name.size() - 2);
    return std::nullopt;
}

std::string c_library() {
    std::string name(64, '\0');
    const std::size_t size = ::confstr(_CS_GNU_LIBC_VERSION, name.data(), name.size());
    return size == 0 ? "unknown" : name.substr(0, size - 1);
}

std::optional<std::string> hypervisor_of(const system_tree& tree) {
    const auto flags = fmt::format(" {} ", tree.field("proc/cpuinfo", "flags").value_or(""));
    if (const auto type = tree.text("sys/hypervisor/type")) return type;
    if (flags.find(" hypervisor ") == std::string::npos) return std::nullopt;
    const auto vendor = tree.text("sys/class/dmi/id/sys_vendor");
    return vendor ? *vendor : "yes, it does not tell which";
}

/// The smallest `cpu.max` from this process's control group up to the root.
std::optional<double> processor_quota(const system_tree& tree) {
    std::optional<double> narrowest;
    std::string group;
    std::istringstream groups(tree.text("proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(groups, line);)
        if (line.rfind("0::", 0) == 0) group = line.substr(3);
    while (true) {
        std::istringstream limit(tree.text("sys/fs/cgroup" + group + "/cpu.max").value_or(""));
        double quota = 0;
        double period = 0;
        if (limit >> quota >> period && period > 0)
            narrowest = std::min(narrowest.value_or(quota / period), quota / period);
        if (group.empty()) return narrowest;
        group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
}

std::optional<bool> turbo_of(const system_tree& tree) {
    if (const auto off = tree.number(processors_folder + "intel_pstate/no_turbo")) return *off == 0;
    if (const auto on = tree.number(processors_folder + "cpufreq/boost")) return *on != 0;
    return std::nullopt;
}

/// The word in brackets of `always [madvise] never`.
std::optional<std::string> chosen_word(const std::optional<std::string>& line) {
    if (!line) return std::nullopt;
    const auto begin = line->find('[');
    const auto end = line->find(']');
    if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
    return line->substr(begin + 1, end - begin - 1);
}

/// The fields are user, nice, system, idle, iowait, irq, softirq and steal, in ticks. The later
/// fields are contained in the first.
std::optional<double> steal_share(const system_tree& tree) {
    std::istringstream line(tree.text("proc/stat").value_or(""));
    std::string name;
    line >> name;
    double all = 0;
    double last = 0;
    for (int i = 0; i < 8; ++i) {
        if (!(line >> last)) return std::nullopt;
        all += last;
    }
    return all > 0 ? std::optional(last / all) : std::nullopt;
}

bool runs_on_battery(const system_tree& tree) {
    const std::string folder = "sys/class/power_supply/";
    for (const std::string& supply : tree.entries(folder))
        if (tree.text(folder + supply + "/type") == "Battery" &&
            tree.text(folder + supply + "/status") == "Discharging")
            return true;
    return false;
}

std::optional<int> integer(const std::optional<double>& number) {
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

machine describe_machine(const system_tree& tree) {
    machine result;
    describe_processor(tree, result);
    result.caches = caches_of(tree);
    const std::string memory = tree.field("proc/meminfo", "MemTotal").value_or("");  // "8 kB"
    if (double kib = 0; std::istringstream(memory) >> kib) result.memory_bytes = kib * 1024;

    result.system = quoted_value(tree, "etc/os-release", "PRETTY_NAME");
    result.kernel = tree.text("proc/sys/kernel/osrelease");
    result.c_library = c_library();
    result.hypervisor = hypervisor_of(tree);
    result.processor_quota = processor_quota(tree);

    const auto governors = different_values(tree, "cpufreq/scaling_governor");
    result.governors.assign(governors.begin(), governors.end());
    result.turbo = turbo_of(tree);
    result.address_space_randomisation = integer(tree.number("proc/sys/kernel/randomize_va_space"));
    result.huge_pages = chosen_word(tree.text("sys/kernel/mm/transparent_hugepage/enabled"));
    result.load = tree.number("proc/loadavg");
    result.steal_share = steal_share(tree);
    result.perf_event_paranoid = integer(tree.number("proc/sys/kernel/perf_event_paranoid"));
    result.hardware_counters = tree.exists("sys/bus/event_source/devices/cpu") ||
                               tree.exists("sys/bus/event_source/devices/cpu_core") ||
                               tree.exists("sys/bus/event_source/devices/armv8_pmuv3_0");
    result.on_battery = runs_on_battery(tree);
    return result;
}

}  // namespace freehold
