// SPDX-License-Identifier: BSL-1.0
#include "measure/machine.hpp"

#include "program/temporary_folder.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::machine_test {
namespace {

using testing::ElementsAre;

/// A laptop with two cores of two threads each.
class Machine : public testing::Test {
protected:
    Machine() {
        root_.write("proc/cpuinfo",
                    "processor\t: 0\nmodel name\t: Example CPU @ 3 GHz\nflags\t\t: fpu sse2\n");
        root_.write("proc/self/status", "Name:\tx\nCpus_allowed:\t7\nCpus_allowed_list:\t0-2\n");
        root_.write("proc/self/cgroup", "0::/user/job\n");
        root_.write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");
        root_.write("proc/sys/kernel/osrelease", "6.1.0-example\n");
        root_.write("proc/sys/kernel/randomize_va_space", "2\n");
        root_.write("proc/sys/kernel/perf_event_paranoid", "3\n");
        root_.write("proc/loadavg", "0.52 0.58 0.59 1/467 1234\n");
        root_.write("proc/stat", "cpu  50 0 20 20 0 0 0 10 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
        root_.write("etc/os-release", "NAME=\"Example\"\nPRETTY_NAME=\"Example Linux 1\"\n");
        root_.write(cpu_ + "online", "0-3\n");
        root_.write(cpu_ + "smt/active", "1\n");
        root_.write(cpu_ + "intel_pstate/no_turbo", "0\n");
        for (const char* name : {"cpu0", "cpu1", "cpu2", "cpu3"}) {
            const bool first_core = std::string(name) < "cpu2";
            root_.write(cpu_ + name + "/topology/thread_siblings_list", first_core ? "0-1" : "2-3");
            root_.write(cpu_ + name + "/cpufreq/scaling_governor", "powersave\n");
        }
        cache("index0", "1", "Data", "48K");
        cache("index1", "1", "Instruction", "32K");
        cache("index2", "2", "Unified", "1280K");
        root_.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        root_.write("sys/class/power_supply/AC/type", "Mains\n");
        root_.write("sys/class/power_supply/BAT0/type", "Battery\n");
        root_.write("sys/class/power_supply/BAT0/status", "Discharging\n");
        root_.write("sys/bus/event_source/devices/cpu/type", "4\n");
        root_.write("sys/fs/cgroup/user/cpu.max", "150000 100000\n");
        root_.write("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    }

    void cache(const std::string& index, const char* level, const char* type, const char* size) {
        const std::string folder = cpu_ + "cpu0/cache/" + index + "/";
        root_.write(folder + "level", level);
        root_.write(folder + "type", type);
        root_.write(folder + "size", size);
    }
    [[nodiscard]] machine described() const { return describe_machine(system_tree(root_.path())); }

    const std::string cpu_ = "sys/devices/system/cpu/";
    temporary_folder root_;
};

TEST_F(Machine, IsReadFromItsFiles) {
    const machine laptop = described();
    EXPECT_EQ(laptop.processor, "Example CPU @ 3 GHz");
    EXPECT_EQ(laptop.processors, 4);
    EXPECT_EQ(laptop.usable_processors, 3);
    EXPECT_EQ(laptop.cores, 2);
    EXPECT_EQ(laptop.simultaneous_multithreading, true);
    EXPECT_THAT(laptop.caches, ElementsAre("L1 data 48 KiB", "L1 code 32 KiB", "L2 1.25 MiB"));
    EXPECT_EQ(laptop.memory_bytes, 16.0 * 1024 * 1024 * 1024);
    EXPECT_EQ(laptop.system, "Example Linux 1");
    EXPECT_EQ(laptop.kernel, "6.1.0-example");
    EXPECT_EQ(laptop.hypervisor, std::nullopt);
    EXPECT_EQ(laptop.processor_quota, 1.5);
    EXPECT_THAT(laptop.governors, ElementsAre("powersave"));
    EXPECT_EQ(laptop.turbo, true);
    EXPECT_EQ(laptop.address_space_randomisation, 2);
    EXPECT_EQ(laptop.huge_pages, "madvise");
    EXPECT_EQ(laptop.load, 0.52);
    EXPECT_EQ(laptop.steal_share, 0.1);
    EXPECT_EQ(laptop.perf_event_paranoid, 3);
    EXPECT_TRUE(laptop.hardware_counters);
    EXPECT_TRUE(laptop.on_battery);
}

TEST_F(Machine, TurboIsReadFromOtherDriversToo) {
    std::filesystem::remove_all(root_ / (cpu_ + "intel_pstate"));
    EXPECT_EQ(described().turbo, std::nullopt);
    root_.write(cpu_ + "cpufreq/boost", "0\n");
    EXPECT_EQ(described().turbo, false);
    root_.write(cpu_ + "cpufreq/boost", "1\n");
    EXPECT_EQ(described().turbo, true);
}

TEST_F(Machine, AHypervisorIsNamedWhereItTellsItsName) {
    root_.write("proc/cpuinfo", "model name : x\nflags : fpu hypervisor sse2\n");
    EXPECT_EQ(described().hypervisor, "yes, it does not tell which");
    root_.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
    EXPECT_EQ(described().hypervisor, "QEMU");
}

TEST_F(Machine, AChargingBatteryIsNoBatteryOperation) {
    root_.write("sys/class/power_supply/BAT0/status", "Charging\n");
    EXPECT_FALSE(described().on_battery);
}

TEST_F(Machine, EveryFactHasAValue) {
    const auto facts = facts_of(described());
    const auto value = [&](const std::string& name) {
        return std::find_if(facts.begin(), facts.end(),
                            [&](const fact& f) { return f.name == name; })
            ->value;
    };
    EXPECT_EQ(value("cores"), "2 cores, 4 processors, 3 of them usable");
    EXPECT_EQ(value("memory"), "16.0 GiB");
    EXPECT_EQ(value("processor quota"), "1.5 processors");
    EXPECT_EQ(value("stolen processor time"), "10.00 %");
    EXPECT_EQ(value("hardware counters"), "there (perf_event_paranoid 3)");
    EXPECT_EQ(value("power"), "battery");
}

TEST(MachineWithoutFiles, TellsNothingAndInventsNothing) {
    const temporary_folder empty;
    const machine unknown = describe_machine(system_tree(empty.path()));
    EXPECT_EQ(unknown.processor, std::nullopt);
    EXPECT_EQ(unknown.turbo, std::nullopt);
    EXPECT_EQ(unknown.load, std::nullopt);
    EXPECT_EQ(unknown.processor_quota, std::nullopt);
    for (const fact& each : facts_of(unknown)) EXPECT_FALSE(each.value.empty()) << each.name;
}

TEST(ProcessorList, IsCounted) {
    EXPECT_EQ(count_of_processors("0"), 1);
    EXPECT_EQ(count_of_processors("0-3,8,10-11"), 7);
    EXPECT_EQ(count_of_processors(""), 0);
}

}  // namespace
}  // namespace freehold::machine_test
