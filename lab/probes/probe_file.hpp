// SPDX-License-Identifier: BSL-1.0
// Finds the probes, which are built beside this executable: has objdump print their object files,
// and runs those that can be run.
#pragma once

#include "probes/disassembly.hpp"

#include <string>
#include <string_view>

namespace lab {

/// Empty, or why no probe can be disassembled here.
std::string why_no_probes();

/// These throw std::runtime_error if the file is missing, or objdump or the probe fails. The object
/// file of a handle is that of probe.cpp, found by the subject's display name.
disassembly disassemble_handle(std::string_view subject);
disassembly disassemble_probe(const std::string& name);

/// What the probe `name` prints when it is run.
std::string output_of_probe(const std::string& name);

}  // namespace lab
