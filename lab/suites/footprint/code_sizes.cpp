// SPDX-License-Identifier: BSL-1.0
#include "suites/footprint/code_sizes.hpp"

#include "probes/probe_file.hpp"

#include <array>
#include <string>

namespace lab::footprint {
namespace {

struct operation {
    const char* name;
    const char* probe;
};
constexpr std::array<operation, 5> operations = {{{"default_construct", "probe_default_0"},
                                                  {"acquire", "probe_acquire_0"},
                                                  {"copy", "probe_copy_0"},
                                                  {"assign", "probe_assign_0"},
                                                  {"destroy", "probe_destroy_0"}}};

}  // namespace

void add_code_sizes(plan& into, const identity& of) {
    const std::string subject = key_of(of.name);
    const std::string why_not = why_no_probes();
    const auto add = [&](const std::string& test, const std::string& note, auto value) {
        if (why_not.empty()) {
            into.exact.push_back({{subject, test, {}, note}, value()});
        } else {
            into.skipped.push_back({subject, test, why_not});
        }
    };
    const disassembly code = why_not.empty() ? disassemble_handle(of.name) : disassembly();
    for (const auto& [name, probe] : operations) {
        const code_size size = why_not.empty() ? code.measure(probe) : code_size();
        const std::string mark(1, size.mark);
        add(std::string(name) + ".instructions", mark,
            [&] { return static_cast<double>(size.instructions); });
        add(std::string(name) + ".bytes", mark, [&] { return static_cast<double>(size.bytes); });
    }
    add("text_per_type", "", [&] { return code.bytes_of_further_types() / 8.0; });
}

}  // namespace lab::footprint
