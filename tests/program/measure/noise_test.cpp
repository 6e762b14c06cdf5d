// SPDX-License-Identifier: BSL-1.0
#include "measure/noise.hpp"

#include <functional>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::noise_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Set as one would for measuring.
machine quiet_machine() {
    machine quiet;
    quiet.processors = quiet.usable_processors = quiet.cores = 2;
    quiet.simultaneous_multithreading = false;
    quiet.governors = {"performance"};
    quiet.turbo = false;
    quiet.address_space_randomisation = 0;
    quiet.huge_pages = "madvise";
    quiet.load = 0.1;
    quiet.steal_share = 0;
    quiet.perf_event_paranoid = 2;
    quiet.hardware_counters = true;
    return quiet;
}

TEST(Noise, AQuietMachineHasNone) {
    EXPECT_THAT(reasons_for_noise(quiet_machine()), IsEmpty());
}

struct noisy_setting {
    const char* name;
    std::function<void(machine&)> set;
    const char* problem;
    const char* remedy;
};

// For the names that ctest shows.
void PrintTo(const noisy_setting& setting, std::ostream* out) {
    *out << setting.name;
}

class NoisySetting : public testing::TestWithParam<noisy_setting> {};

TEST_P(NoisySetting, IsNamedWithItsRemedy) {
    machine noisy = quiet_machine();
    GetParam().set(noisy);
    const auto reasons = reasons_for_noise(noisy);
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_THAT(reasons[0].problem, HasSubstr(GetParam().problem));
    EXPECT_THAT(reasons[0].remedy, HasSubstr(GetParam().remedy));
}

INSTANTIATE_TEST_SUITE_P(
    Noise, NoisySetting,
    testing::Values(
        noisy_setting{"governor",
                      [](machine& m) {
                          m.governors = {"performance", "schedutil"};
                      },
                      "schedutil", "cpupower frequency-set -g performance"},
        noisy_setting{"turbo", [](machine& m) { m.turbo = true; }, "turbo", "no_turbo"},
        noisy_setting{"battery", [](machine& m) { m.on_battery = true; }, "battery", "plug"},
        noisy_setting{"layout", [](machine& m) { m.address_space_randomisation = 2; },
                      "randomisation", "setarch -R"},
        noisy_setting{"huge_pages", [](machine& m) { m.huge_pages = "always"; }, "huge pages",
                      "echo madvise"},
        noisy_setting{"siblings", [](machine& m) { m.simultaneous_multithreading = true; }, "SMT",
                      "smt/control"},
        noisy_setting{"load", [](machine& m) { m.load = 0.8; }, "0.80", "uptime"},
        noisy_setting{"steal", [](machine& m) { m.steal_share = 0.0123; }, "1.23 %", "dedicated"},
        noisy_setting{"hypervisor", [](machine& m) { m.hypervisor = "KVM"; }, "virtual", "Pinning"},
        noisy_setting{"quota", [](machine& m) { m.processor_quota = 1.5; }, "1.5 processors",
                      "limit"},
        noisy_setting{"one_processor", [](machine& m) { m.usable_processors = 1; },
                      "only one processor", "two or more"},
        noisy_setting{"no_counters", [](machine& m) { m.hardware_counters = false; },
                      "no hardware counters", "performance monitoring unit"},
        noisy_setting{"closed_counters", [](machine& m) { m.perf_event_paranoid = 4; },
                      "perf_event_paranoid is 4", "sysctl kernel.perf_event_paranoid=2"}),
    [](const auto& setting) { return std::string(setting.param.name); });

TEST(Noise, WhatTheMachineDoesNotTellIsNoReason) {
    machine silent;
    silent.usable_processors = 2;
    silent.hardware_counters = true;
    EXPECT_THAT(reasons_for_noise(silent), IsEmpty());
}

}  // namespace
}  // namespace freehold::noise_test
