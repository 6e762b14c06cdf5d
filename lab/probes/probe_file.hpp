// SPDX-License-Identifier: BSL-1.0
// Finds the probes, which are built beside this executable. It disassembles their object files with
// objdump, and runs those that are executables.
#pragma once

#include "probes/disassembly.hpp"

#include <string>
#include <string_view>

namespace lab {

/// Returns the reason why no probe can be disassembled here, or an empty string.
std::string why_no_probes();

/// These functions throw std::runtime_error if the file is missing, or if objdump or the probe
/// fails. The object file of a handle is that of probe.cpp; the subject's display name gives its
/// name.
disassembly disassemble_handle(std::string_view subject);
disassembly disassemble_probe(const std::string& name);

/// Runs the probe `name`, and returns its output.
std::string output_of_probe(const std::string& name);

}  // namespace lab
