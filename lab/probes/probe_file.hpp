// SPDX-License-Identifier: BSL-1.0
// Finds the probes, which are built beside this executable: has objdump print their object files,
// and runs those that can be run.
#pragma once

#include "probes/disassembly.hpp"

#include <string>

namespace lab {

enum class probed_types { one, nine };

/// Empty, or why no probe can be disassembled here.
std::string why_no_probes();

/// These throw std::runtime_error if the file is missing, or objdump or the probe fails. The object
/// files are those of probe.cpp, and that of the probe `name`.
disassembly disassemble_probe(const std::string& competitor, probed_types types);
disassembly disassemble_probe(const std::string& name);

/// What the probe `name` prints when it is run.
std::string output_of_probe(const std::string& name);

}  // namespace lab
