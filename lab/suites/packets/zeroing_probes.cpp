// SPDX-License-Identifier: BSL-1.0
// The cases `zeroing_probe`: how much of a packet each way of making it sets to zero, and which
// code does so. They use the lab's own standard library, and libc++ where the compiler finds it.
// The ways are subjects of six_ways.cpp.

#include "probes/made_packets.hpp"
#include "probes/probe_file.hpp"
#include "runner/registry.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace lab {
namespace {

#if defined(FREEHOLD_LAB_HAS_LIBCXX)
constexpr const char* why_no_libcxx = "";
#else
constexpr const char* why_no_libcxx =
    "install libc++ (Debian: libc++-dev libc++abi-dev) and build the lab again";
#endif

/// Names the code that zeroes, as far as the machine code shows it.
std::string note_on(const made_packet& made, const disassembly& code) {
    std::vector<std::string> means;
    for (const zeroing& each : what_zeroes(made, code)) {
        if (std::find(means.begin(), means.end(), each.means) == means.end())
            means.push_back(each.means);
    }
    std::string note;
    for (const std::string& each : means) note += (note.empty() ? "" : " and ") + each;
    if (note.empty()) note = made.zero == 0 ? "nothing" : "code outside the object file";
    if (made.other > 0) note += ", " + std::to_string(made.other) + " bytes overwritten";
    return note;
}

void add_probes(plan& into, const selection& chosen, const std::vector<made_packet>& all,
                const std::string& suffix, const std::string& probe, const std::string& why_not) {
    std::vector<made_packet> wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted), [&](const made_packet& made) {
        return chosen.passes(key_of(made.way), made.way);
    });
    if (wanted.empty()) return;
    if (!why_not.empty()) {
        for (const made_packet& made : wanted)
            into.skipped.push_back({key_of(made.way), made.test + suffix, why_not});
        return;
    }
    const disassembly code = disassemble_probe(probe);
    for (const made_packet& made : wanted) {
        if (!made.missing.empty()) {
            into.skipped.push_back({key_of(made.way), made.test + suffix, made.missing});
        } else {
            into.exact.push_back({{key_of(made.way), made.test + suffix, {}, note_on(made, code)},
                                  static_cast<double>(made.zero)});
        }
    }
}

void add_zeroing_probes(plan& into, const selection& chosen) {
    const std::string no_probes = why_no_probes();
    const auto own = read_made_packets(output_of_probe("makings"));
    add_probes(into, chosen, own, "", "makings", no_probes);

    // Without libc++, the names of the ways come from the own standard library, and each is
    // reported as missing.
    const std::string probe = "makings-libc++";
    const std::string no_libcxx = no_probes.empty() ? why_no_libcxx : no_probes;
    add_probes(into, chosen, no_libcxx.empty() ? read_made_packets(output_of_probe(probe)) : own,
               ".libc++", probe, no_libcxx);
}

const registration here("packets", add_zeroing_probes, {});

}  // namespace
}  // namespace lab
